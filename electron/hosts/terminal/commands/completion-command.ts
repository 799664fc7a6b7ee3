import { exitCode, terminalCommand, type TerminalCommand } from '../terminal-command.ts';
import type { CommandSpecs } from '../views/command-help.ts';
import type { CommandSpec, OptionSpec, WordSpec } from '../options/command-spec.ts';

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function completionCommand(loadSpecs: () => Promise<CommandSpecs>): TerminalCommand {
  return terminalCommand(
    {
      name: 'completion',
      summary: 'print a script that completes commands and options in your shell',
      word: {
        name: 'bash|zsh|fish',
        about: {
          bash: 'in ~/.bashrc: source <(parley completion bash)',
          zsh: 'in ~/.zshrc, after compinit: source <(parley completion zsh)',
          fish: 'in ~/.config/fish/config.fish: parley completion fish | source',
        },
        missing: 'Name a shell: parley completion bash, zsh or fish.',
      },
      options: {},
    },
    async ({ word }, { out }) => {
      const { own, remote } = await loadSpecs();
      out(writers[word]([...own, ...remote]));
      return exitCode.done;
    },
  );
}

export function bashCompletion(specs: readonly CommandSpec[]): string {
  return `# bash completion for parley: source <(parley completion bash)
_parley() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} options='' words=''
  # --option=value comes as three words.
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${specs.map(({ name }) => name).join(' ')} --help --version' -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]} $prev" in
${specs.flatMap(bashValueCases).join('\n')}
  esac
  case \${COMP_WORDS[1]} in
${specs.map(bashCase).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ $words == files ]]; then
    compopt -o default
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _parley parley
`;
}

function bashValueCases({ name, options }: CommandSpec): readonly string[] {
  return Object.entries(options)
    .filter(([, { value, alone }]) => value !== undefined && alone !== true)
    .map(([option, spec]) => `    '${name} --${option}') ${bashOffer(spec)} ;;`);
}

function bashOffer({ choices, file }: OptionSpec): string {
  if (choices !== undefined) {
    return `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); return`;
  }
  return file === true ? 'compopt -o default; return' : 'return';
}

function bashCase({ name, options, word, object }: CommandSpec): string {
  const optionNames = [...Object.keys(options), 'help'].map((option) => `--${option}`).join(' ');
  const words = typeof word?.about === 'object' ? Object.keys(word.about).join(' ') : '';
  const objectFiles = object?.file === true ? ' && ((COMP_CWORD > 2)) && words=files' : '';
  return `    ${name}) options='${optionNames}' words='${word?.file === true ? 'files' : words}'${objectFiles} ;;`;
}

/** A zsh completion script, to source or to put in the fpath. */
export function zshCompletion(specs: readonly CommandSpec[]): string {
  const commands = specs.map(
    ({ name, summary }) => `    ${zshQuoted(`${name}:${escape(summary, ':')}`)}`,
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
${specs.map(zshCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _parley ]]; then
  _parley "$@"
else
  compdef _parley parley
fi
`;
}

function zshCase({ name, options, word, object }: CommandSpec): string {
  const specs = [
    ...(word === undefined ? [] : [zshArgument(word, 1)]),
    ...(object === undefined ? [] : [zshArgument(object, 2)]),
    ...Object.entries(options).map(([option, spec]) => zshOption(option, spec)),
    '--help[show the options]',
  ];
  return [
    `    ${name})`,
    '      _arguments \\',
    specs.map((spec) => `        ${zshQuoted(spec)}`).join(' \\\n'),
    '      ;;',
  ].join('\n');
}

function zshArgument({ name, about, file }: WordSpec, position: number): string {
  const words = typeof about === 'object' ? `(${Object.keys(about).join(' ')})` : '';
  return `${position}:${escape(name, ':')}:${file === true ? '_files' : words}`;
}

function zshOption(name: string, option: OptionSpec): string {
  const { value, choices, file, alone, many, instead, about } = option;
  const others = instead === undefined ? '' : `(--${instead})`;
  const explanation = `[${escape(about, '[]')}]`;
  const prefix = many === true ? '*' : others;
  if (value === undefined) return `${prefix}--${name}${explanation}`;
  const words = choices === undefined ? '' : `(${choices.join(' ')})`;
  const action = file === true ? '_files' : words;
  const [equals, colons] = alone === true ? ['=-', '::'] : ['=', ':'];
  return `${prefix}--${name}${equals}${explanation}${colons}${escape(value, ':')}:${action}`;
}

/** Escapes the given characters with a backslash. */
function escape(text: string, characters: string): string {
  return text.replaceAll(/./g, (character) =>
    characters.includes(character) ? `\\${character}` : character,
  );
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function fishCompletion(specs: readonly CommandSpec[]): string {
  return [
    '# fish completion for parley: parley completion fish | source',
    'complete -c parley -e',
    // Without -F, an argument is not completed with files.
    'complete -c parley -f',
    ...specs.map(
      ({ name, summary }) =>
        `complete -c parley -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`,
    ),
    ...specs.flatMap(fishLines),
    '',
  ].join('\n');
}

function fishLines({ name, options, word, object }: CommandSpec): readonly string[] {
  const begin = `complete -c parley -n ${fishQuoted(`__fish_seen_subcommand_from ${name}`)}`;
  const words =
    typeof word?.about === 'object'
      ? Object.entries(word.about).map(([each, about]) => `-a ${each} -d ${fishQuoted(about)}`)
      : [];
  return [
    ...(word?.file === true ? ['-F'] : words),
    ...(object?.file === true ? ['-F'] : []),
    ...Object.entries(options).map(fishOption),
    "-l help -d 'show the options'",
  ].map((end) => `${begin} ${end}`);
}

function fishOption([name, option]: readonly [string, OptionSpec]): string {
  return [`-l ${name}`, ...valueFlags(option), `-d ${fishQuoted(option.about)}`].join(' ');
}

function valueFlags({ value, choices, file, alone }: OptionSpec): readonly string[] {
  if (value === undefined || alone === true) return [];
  if (choices !== undefined) return ['-x', '-a', fishQuoted(choices.join(' '))];
  return file === true ? ['-r', '-F'] : ['-x'];
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
