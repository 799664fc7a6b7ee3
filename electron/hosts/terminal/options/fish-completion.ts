import type { CommandSpec, OptionSpec } from './command-spec.ts';

/** What completes a word of the command line after `parley` in fish. */
export function fishCompletion(specs: readonly CommandSpec[]): string {
  return [
    '# fish completion for parley: parley completion fish | source',
    'complete -c parley -e',
    // Files only where something says so.
    'complete -c parley -f',
    ...specs.map(
      ({ name, summary }) =>
        `complete -c parley -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...specs.flatMap(commandLines),
    '',
  ].join('\n');
}

function commandLines({ name, options, word, object }: CommandSpec): readonly string[] {
  const begin = `complete -c parley -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  const words =
    typeof word?.about === 'object'
      ? Object.entries(word.about).map(([each, about]) => `-a ${each} -d ${quoted(about)}`)
      : [];
  return [
    ...(word?.file === true ? ['-F'] : words),
    ...(object?.file === true ? ['-F'] : []),
    ...Object.entries(options).map(optionEnd),
    "-l help -d 'what it takes'",
  ].map((end) => `${begin} ${end}`);
}

function optionEnd([name, option]: readonly [string, OptionSpec]): string {
  return [`-l ${name}`, ...valueFlags(option), `-d ${quoted(option.about)}`].join(' ');
}

function valueFlags({ value, choices, file, alone }: OptionSpec): readonly string[] {
  if (value === undefined || alone === true) return [];
  if (choices !== undefined) return ['-x', '-a', quoted(choices.join(' '))];
  return file === true ? ['-r', '-F'] : ['-x'];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
