import type { CommandSpec, OptionSpec, WordSpec } from '../options/command-spec.ts';

const maxColumns = 100;
/** With less room beside the names of options, their texts are below. */
const minTextColumns = 24;

/** The specs of all commands: those that run in their own process, and those that a running Parley carries out. */
export interface CommandSpecs {
  readonly own: readonly CommandSpec[];
  readonly remote: readonly CommandSpec[];
}

/** `columns`: the terminal's width; without it, long lines are not wrapped. */
export function helpText(
  version: string,
  { own, remote }: CommandSpecs,
  columns = Infinity,
): string {
  const width = Math.max(...[...own, ...remote].map(({ name }) => name.length)) + 2;
  const line = ({ name, summary }: CommandSpec) => helpRow(name, summary, width, columns);
  const title = `Parley ${version}: talks, listens and sees through the MiniCPM-o Realtime API`;
  return [
    ...wrap(title, columns),
    '',
    'Usage: parley <command> [options]',
    '',
    'Commands:',
    ...own.flatMap(line),
    '',
    'Commands for a running Parley:',
    ...remote.flatMap(line),
    '',
    'Options:',
    ...helpRow('--help', 'show this text, or the help of a command', 13, columns),
    ...helpRow('--version', 'show the version', 13, columns),
    '',
  ].join('\n');
}

/** `columns`: the terminal's width; without it, only the texts of options are wrapped. */
export function commandHelp(spec: CommandSpec, columns = Infinity): string {
  const rows = describeArguments(spec);
  const width = Math.max(0, ...rows.map(([form]) => form.length)) + 2;
  const rowColumns = Math.min(columns, maxColumns);
  const lines = rows.flatMap(([form, about]) => helpRow(form, about, width, rowColumns));
  const notes = spec.notes ?? [];
  const gap = lines.length > 0 && notes.length > 0 ? [''] : [];
  const end = notes.flatMap((note) => wrap(note, columns - 2).map((line) => `  ${line}`.trimEnd()));
  const usage = wrap(`Usage: ${usageOf(spec)}`, columns - 2).join('\n  ');
  return [...wrap(spec.summary, columns), usage, ...lines, ...gap, ...end, ''].join('\n');
}

function helpRow(form: string, about: string, width: number, columns: number): readonly string[] {
  const textColumns = columns - width - 2;
  if (textColumns < minTextColumns)
    return [
      ...wrap(form, columns - 2).map((line) => `  ${line}`),
      ...wrap(about, columns - 6).map((line) => `      ${line}`),
    ];
  return wrap(about, textColumns).map(
    (line, index) => `  ${(index === 0 ? form : '').padEnd(width)}${line}`,
  );
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
