import { parseArgs } from 'node:util';
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

/** The values of each option, in order. An option without a value has `true`. */
type Given = ReadonlyMap<string, readonly (string | true)[]>;

/** Parses a command's arguments, or throws a usage error. */
export function readArguments<const Spec extends CommandSpec>(
  spec: Spec,
  args: readonly string[],
): CommandArguments<Spec> {
  const { given, words } = collect(spec.options, args);
  const extra = words[[spec.word, spec.object].filter((word) => word !== undefined).length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`);
  const options = Object.entries(spec.options);
  const values = options.map(
    ([name, option]) => [camelCase(name), readOption(name, option, given.get(name) ?? [])] as const,
  );
  for (const [name, option] of options) checkDependencies(name, option, given);
  const [word, object] = [spec.word, spec.object].map((wordSpec, index) =>
    wordSpec === undefined ? undefined : readWord(spec, wordSpec, words[index], given),
  );
  return { word, object, options: Object.fromEntries(values) } as CommandArguments<Spec>;
}

function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function collect(
  options: CommandSpec['options'],
  args: readonly string[],
): { readonly given: Given; readonly words: readonly string[] } {
  const types = Object.entries(options).map(([name, { value, alone }]) => {
    const type: 'boolean' | 'string' = value === undefined || alone === true ? 'boolean' : 'string';
    return [name, { type }] as const;
  });
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, readonly (string | true)[]>();
  const words: string[] = [];
  /**
   * The option before this token, if its value is optional. `parseArgs` has no such options, so the value comes as a
   * positional argument. Commands with these options have no positional arguments.
   */
  let optionAlone: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (optionAlone !== undefined && token.value !== '-') given.set(optionAlone, [token.value]);
      else words.push(token.value);
    }
    optionAlone = undefined;
    if (token.kind !== 'option') continue;
    const { name } = token;
    const value = givenValue(token, options);
    given.set(name, [...(given.get(name) ?? []), value]);
    if (value === true) optionAlone = options[name]?.alone === true ? name : undefined;
  }
  return { given, words };
}

interface OptionToken {
  readonly name: string;
  /** As typed, with dashes. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Whether the value follows an equals sign. */
  readonly inlineValue: boolean | undefined;
}

function givenValue(
  { name, rawName, value, inlineValue }: OptionToken,
  options: CommandSpec['options'],
): string | true {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const suggestion = nearestName(name, Object.keys(options));
    throw new UsageError(
      `Unknown option ${rawName}${suggestion === undefined ? '.' : `; did you mean --${suggestion}?`}`,
    );
  }
  if (value === undefined) {
    if (option.value === undefined || option.alone === true) return true;
    throw new UsageError(`${rawName} needs a value.`);
  }
  if (option.value === undefined) throw new UsageError(`${rawName} takes no value.`);
  // An empty shell variable must not select the default device.
  if (option.alone === true && value === '')
    throw new UsageError(
      `${rawName}= needs a name; ${rawName} alone selects the system's default.`,
    );
  if (inlineValue === false && value.startsWith('-') && value !== '-')
    throw new UsageError(
      `${rawName} needs a value; write a value that begins with a dash as ${rawName}=-….`,
    );
  return value;
}

function readOption(name: string, option: OptionSpec, given: readonly (string | true)[]): unknown {
  if (option.value === undefined) return given.length > 0;
  const values = given.map((text) => (text === true ? text : readValue(`--${name}`, option, text)));
  return option.many === true ? values : values.at(-1);
}

function readValue(option: string, { choices, range, read }: OptionSpec, text: string): unknown {
  if (choices !== undefined) return readChoice(option, text, choices);
  if (range !== undefined) return readNumber(option, text, range);
  return read === undefined ? text : read(text);
}

function checkDependencies(name: string, option: OptionSpec, given: Given): void {
  const { needs, instead, required, choices = [] } = option;
  if (!given.has(name)) {
    if (required !== true || choices.length === 0) return;
    throw new UsageError(`Give ${listOfChoices(choices.map((choice) => `--${name} ${choice}`))}.`);
  }
  if (needs !== undefined && !given.has(needs)) {
    throw new UsageError(`--${name} requires --${needs}.`);
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
  const isReplaced = orOption !== undefined && given.has(orOption);
  if (word !== undefined && isReplaced)
    throw new UsageError(`Give either ${name} or --${orOption}, not both.`);
  if (word === undefined && (isReplaced || optional === true)) return undefined;
  if (word === undefined) throw new UsageError(missing);
  if (typeof about === 'string' || Object.hasOwn(about, word)) return word;
  throw new UsageError(`${command} takes ${listOfChoices(Object.keys(about))}, not "${word}".`);
}

/** The most similar name, or undefined if none is similar enough. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  // One typing error for three characters, because a short word with an error could mean anything.
  const maxErrors = Math.floor(given.length / 3);
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(given, name);
    if (distance <= Math.min(maxErrors, (nearest?.distance ?? maxErrors + 1) - 1)) {
      nearest = { name, distance };
    }
  }
  return nearest?.name;
}

/** The Damerau-Levenshtein distance (optimal string alignment), computed row by row. */
function editDistance(from: string, to: string): number {
  let secondLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (secondLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [secondLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
