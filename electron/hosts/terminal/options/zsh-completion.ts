import type { CommandSpec, OptionSpec, WordSpec } from './command-spec.ts';

/** What completes a word of the command line after `parley` in zsh, sourced or from its fpath. */
export function zshCompletion(specs: readonly CommandSpec[]): string {
  const commands = specs.map(
    ({ name, summary }) => `    ${quoted(`${name}:${escaped(summary, ':')}`)}`,
  );
  return `#compdef parley
# zsh completion for parley: source <(parley completion zsh)
_parley() {
  local -a commands=(
${commands.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${specs.map(commandCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _parley ]]; then
  _parley "$@"
else
  compdef _parley parley
fi
`;
}

function commandCase({ name, options, word, object }: CommandSpec): string {
  const specs = [
    ...(word === undefined ? [] : [wordSpec(word, 1)]),
    ...(object === undefined ? [] : [wordSpec(object, 2)]),
    ...Object.entries(options).map(([option, spec]) => optionSpec(option, spec)),
    '--help[what it takes]',
  ];
  return [
    `    ${name})`,
    '      _arguments \\',
    specs.map((spec) => `        ${quoted(spec)}`).join(' \\\n'),
    '      ;;',
  ].join('\n');
}

function wordSpec({ name, about, file }: WordSpec, place: number): string {
  const words = typeof about === 'object' ? `(${Object.keys(about).join(' ')})` : '';
  return `${place}:${escaped(name, ':')}:${file === true ? '_files' : words}`;
}

function optionSpec(name: string, option: OptionSpec): string {
  const { value, choices, file, alone, many, instead, about } = option;
  const others = instead === undefined ? '' : `(--${instead})`;
  const explanation = `[${escaped(about, '[]')}]`;
  const prefix = many === true ? '*' : others;
  if (value === undefined) return `${prefix}--${name}${explanation}`;
  const words = choices === undefined ? '' : `(${choices.join(' ')})`;
  const action = file === true ? '_files' : words;
  const [equals, colons] = alone === true ? ['=-', '::'] : ['=', ':'];
  return `${prefix}--${name}${equals}${explanation}${colons}${escaped(value, ':')}:${action}`;
}

/** With a backslash before what means something there. */
function escaped(text: string, letters: string): string {
  return text.replaceAll(/./g, (letter) => (letters.includes(letter) ? `\\${letter}` : letter));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
