import type { CommandSpec, OptionSpec, WordSpec } from '../options/command-spec.ts';

const maxColumns = 100;

/** The specs of all commands: those that run in their own process, and those that a running Parley carries out. */
export interface CommandSpecs {
  readonly own: readonly CommandSpec[];
  readonly remote: readonly CommandSpec[];
}

export function helpText(version: string, { own, remote }: CommandSpecs): string {
  const width = Math.max(...[...own, ...remote].map(({ name }) => name.length)) + 2;
  const line = ({ name, summary }: CommandSpec): string => `  ${name.padEnd(width)}${summary}`;
  return [
    `Parley ${version}: talks, listens and sees through the MiniCPM-o Realtime API`,
    '',
    'Usage: parley <command> [options]',
    '',
    'Commands:',
    ...own.map(line),
    '',
    'Commands for a running Parley:',
    ...remote.map(line),
    '',
    'Options:',
    '  --help       show this text, or the help of a command',
    '  --version    show the version',
    '',
  ].join('\n');
}

export function commandHelp(spec: CommandSpec): string {
  const rows = describeArguments(spec);
  const width = Math.max(0, ...rows.map(([form]) => form.length)) + 2;
  const lines = rows.flatMap(([form, about]) =>
    wrap(about, maxColumns - width - 2).map(
      (line, index) => `  ${(index === 0 ? form : '').padEnd(width)}${line}`,
    ),
  );
  const notes = spec.notes ?? [];
  const gap = lines.length > 0 && notes.length > 0 ? [''] : [];
  const end = [...gap, ...notes.map((note) => `  ${note}`.trimEnd())];
  return [spec.summary, `Usage: ${usageOf(spec)}`, ...lines, ...end, ''].join('\n');
}

export function describeArguments({
  word,
  object,
  options,
  typed = [],
}: CommandSpec): readonly (readonly [string, string])[] {
  return [
    ...(word === undefined ? [] : listWords(word)),
    ...(object === undefined ? [] : listWords(object)),
    ...Object.entries(options).map(
      ([name, option]) => [optionForm(name, option), option.about] as const,
    ),
    ...typed,
  ];
}

function listWords({ name, about }: WordSpec): readonly (readonly [string, string])[] {
  return typeof about === 'string' ? [[name, about]] : Object.entries(about);
}

/** The usage line: `parley name WORD --required V [--option V]… [--one | --other]`. */
export function usageOf({ name, word, object, options }: CommandSpec): string {
  const parts = Object.entries(options).flatMap(([option, spec]) => {
    if (spec.instead !== undefined || option === word?.orOption) return [];
    const other = Object.entries(options).find(([, { instead }]) => instead === option);
    const forms = [[option, spec] as const, ...(other === undefined ? [] : [other])];
    const form = forms
      .map(([each, eachSpec]) => optionForm(each, eachSpec, usageValue(eachSpec)))
      .join(' | ');
    const isRequired = forms.some(([, { required }]) => required === true);
    const repeatMark = spec.many === true ? '…' : '';
    if (isRequired) return [forms.length > 1 ? `(${form})` : form];
    return [`[${form}]${repeatMark}`];
  });
  const words = [word, object].flatMap((each) =>
    each === undefined ? [] : [wordOrOption(each, options)],
  );
  return ['parley', name, ...words, ...parts].join(' ');
}

function wordOrOption(
  { name, optional, orOption = '' }: WordSpec,
  options: CommandSpec['options'],
): string {
  const other = options[orOption];
  if (other === undefined) return optional === true ? `[${name}]` : name;
  return `(${name} | ${optionForm(orOption, other, usageValue(other))})`;
}

function optionForm(name: string, option: OptionSpec, value = option.value): string {
  if (value === undefined) return `--${name}`;
  return option.alone === true ? `--${name}[=${value}]` : `--${name} ${value}`;
}

/** The value in the usage line, which lists choices where the list of options has a placeholder. */
function usageValue({ choices, value }: OptionSpec): string | undefined {
  return choices === undefined ? value : choices.join('|');
}

function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
