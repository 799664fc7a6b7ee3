import { parseArgs, type ParseArgsConfig } from 'node:util';
import { describeError } from '../../../../shared/harmless-text.ts';
import { UsageError } from '../exit-code.ts';
import {
  type CommandArguments,
  type CommandSpec,
  listOfChoices,
  type OptionSpec,
  readChoice,
  readNumber,
  type WordSpec,
} from './command-spec.ts';

type Given = ReadonlyMap<string, readonly (string | true)[]>;

/** Reads what stands after a command's name; what does not fit is wrong usage, in one sentence. */
export function readArguments<const Spec extends CommandSpec>(
  spec: Spec,
  args: readonly string[],
): CommandArguments<Spec> {
  const { given, words } = collect(spec, args);
  const extra = words[[spec.word, spec.object].filter((word) => word !== undefined).length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.`);
  const values = Object.entries(spec.options).map(
    ([name, option]) => [name, valueOf(name, option, given.get(name) ?? [])] as const,
  );
  for (const [name, option] of Object.entries(spec.options)) checkOthers(name, option, given);
  const word = spec.word === undefined ? undefined : readWord(spec, spec.word, words[0], given);
  const object =
    spec.object === undefined ? undefined : readWord(spec, spec.object, words[1], given);
  return { word, object, options: Object.fromEntries(values) } as CommandArguments<Spec>;
}

function collect(
  { options }: CommandSpec,
  args: readonly string[],
): { readonly given: Given; readonly words: readonly string[] } {
  const alone = Object.keys(options).filter((name) => options[name]?.alone === true);
  const { rest, taken } = takeOptionalValues(args, alone);
  const config = Object.entries(options)
    .filter(([name]) => !alone.includes(name))
    .map(([name, { value }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, multiple: true }] as const;
    });
  const { values, positionals } = parse(rest, Object.fromEntries(config), Object.keys(options));
  const others = Object.entries(values).map(([name, all]) => [name, all ?? []] as const);
  return { given: new Map([...others, ...taken]), words: positionals };
}

function parse(
  args: readonly string[],
  options: Readonly<
    Record<string, { readonly type: 'string' | 'boolean'; readonly multiple: true }>
  >,
  names: readonly string[],
) {
  try {
    const config = { args: [...args], options, strict: true, allowPositionals: true } as const;
    const { values, positionals } = parseArgs(config satisfies ParseArgsConfig);
    return {
      values: values as Readonly<Record<string, (string | true)[] | undefined>>,
      positionals,
    };
  } catch (error) {
    throw new UsageError(explain(error, names), { cause: error });
  }
}

function explain(error: unknown, names: readonly string[]): string {
  const text = describeError(error);
  const option = /'(?:-\w, )?(-[\w-]*)/.exec(text)?.[1];
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (option === undefined) return text;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const meant = nearestName(option.replace(/^-+/, ''), names);
    if (meant === undefined) return `There is no option ${option}.`;
    return `There is no option ${option}; did you mean --${meant}?`;
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return text;
  if (text.includes('does not take')) return `${option} takes no value.`;
  if (!text.includes('ambiguous')) return `${option} needs a value.`;
  return `${option} needs a value; one that begins with a dash is written ${option}=-….`;
}

/**
 * Options that stand alone or with a value, of which `parseArgs` knows nothing: `--mic`, `--mic=NAME`,
 * `--mic NAME`. Only for commands that take no words, else the last would be unclear.
 */
function takeOptionalValues(
  args: readonly string[],
  names: readonly string[],
): { readonly rest: readonly string[]; readonly taken: Given } {
  const rest: string[] = [];
  const taken = new Map<string, readonly (string | true)[]>();
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const name = names.find((known) => arg === `--${known}` || arg.startsWith(`--${known}=`));
    if (name === undefined) {
      rest.push(arg);
      continue;
    }
    const next = args[index + 1];
    if (arg !== `--${name}`) taken.set(name, [arg.slice(name.length + 3)]);
    else if (next === undefined || next.startsWith('-')) taken.set(name, [true]);
    else {
      taken.set(name, [next]);
      index += 1;
    }
    // An empty variable of a script must not become another device than the one that was meant.
    if (taken.get(name)?.[0] === '')
      throw new UsageError(`--${name}= needs a name; --${name} alone takes the system's.`);
  }
  return { rest, taken };
}

function valueOf(name: string, option: OptionSpec, given: readonly (string | true)[]): unknown {
  if (option.value === undefined) return given.length > 0;
  const values = given.map((text) => (text === true ? text : readValue(`--${name}`, option, text)));
  return option.many === true ? values : values.at(-1);
}

function readValue(option: string, { choices, range, read }: OptionSpec, text: string): unknown {
  if (choices !== undefined) return readChoice(option, text, choices);
  if (range !== undefined) return readNumber(option, text, range);
  return read === undefined ? text : read(text);
}

function checkOthers(name: string, option: OptionSpec, given: Given): void {
  const { needs, instead, required, choices = [] } = option;
  if (!given.has(name)) {
    if (required !== true || choices.length === 0) return;
    throw new UsageError(`Give ${listOfChoices(choices.map((choice) => `--${name} ${choice}`))}.`);
  }
  if (needs !== undefined && !given.has(needs)) {
    throw new UsageError(`--${name} is of no use without --${needs}.`);
  }
  if (instead !== undefined && given.has(instead)) {
    throw new UsageError(`Give either --${instead} or --${name}, not both.`);
  }
}

function readWord(
  { name: command }: CommandSpec,
  { name, about, missing, optional, orOption }: WordSpec,
  word: string | undefined,
  given: Given,
): string | undefined {
  const otherwise = orOption !== undefined && given.has(orOption);
  if (word !== undefined && otherwise)
    throw new UsageError(`Give either ${name} or --${orOption}, not both.`);
  if (word === undefined && (otherwise || optional === true)) return undefined;
  if (word === undefined) throw new UsageError(missing);
  if (typeof about === 'string' || Object.hasOwn(about, word)) return word;
  throw new UsageError(`${command} knows no "${word}": ${listOfChoices(Object.keys(about))}.`);
}

/** The name that was probably meant; nothing where that would be a guess. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  // One slip of the fingers in three letters; in a shorter word it could be any other.
  const slips = Math.floor(given.length / 3);
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(given, name);
    if (distance <= Math.min(slips, (nearest?.distance ?? slips + 1) - 1)) {
      nearest = { name, distance };
    }
  }
  return nearest?.name;
}

/** How many letters have to be put in, left out, exchanged, or swapped with the next. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      line[column] = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, line];
  }
  return last[to.length] ?? 0;
}
