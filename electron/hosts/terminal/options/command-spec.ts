import { UsageError } from '../exit-code.ts';

/**
 * One command as a person meets it. Its arguments are read by this, and its help, the completion of
 * shells and docs/commands.md are made of it.
 */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** The one word it takes beside its options. */
  readonly word?: WordSpec | undefined;
  /** What that word is done to. */
  readonly object?: WordSpec | undefined;
  /** In the order of the help, under their names without dashes. */
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** What can be typed while it runs, each beside what it does. */
  readonly typed?: readonly (readonly [string, string])[] | undefined;
  /** What else is to be known, at the end of its help. */
  readonly notes?: readonly string[] | undefined;
}

export interface WordSpec {
  /** As it stands in the usage. */
  readonly name: string;
  /** What it means; or what each of the words means, where there are only a few. */
  readonly about: string | Readonly<Record<string, string>>;
  /** What is said when it is missing. */
  readonly missing: string;
  /** It may be left out. */
  readonly optional?: true;
  readonly file?: true;
  /** An option that stands in its place, where it is left out. */
  readonly orOption?: string;
}

export interface OptionSpec {
  readonly about: string;
  /** Its value as it stands in the usage; an option without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly range?: NumberRange;
  /** Makes a value of the text, or throws a `UsageError`. */
  readonly read?: (text: string) => unknown;
  /** The value is a path, which shells can complete. */
  readonly file?: true;
  /** It may also stand alone. */
  readonly alone?: true;
  /** It may be given again. */
  readonly many?: true;
  readonly required?: true;
  /** An option without which it is of no use. */
  readonly needs?: string;
  /** An option before it, in whose place it stands. One of the two is wanted where that is `required`. */
  readonly instead?: string;
}

type ReadValue<Option extends OptionSpec> = Option extends {
  readonly read: (text: string) => infer Value;
}
  ? Value
  : Option extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Option extends { readonly range: NumberRange }
      ? number
      : string;

type GivenValue<Option extends OptionSpec> = Option extends { readonly value: string }
  ? Option extends { readonly many: true }
    ? readonly ReadValue<Option>[]
    : Option extends { readonly alone: true }
      ? ReadValue<Option> | true | undefined
      : Option extends { readonly required: true; readonly choices: readonly string[] }
        ? ReadValue<Option>
        : ReadValue<Option> | undefined
  : boolean;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** What was given, by the options' names: `--max-seconds` is `maxSeconds`. */
export type GivenOptions<Options extends CommandSpec['options']> = {
  readonly [Name in keyof Options & string as CamelCase<Name>]: GivenValue<Options[Name]>;
};

type GivenWord<Word> = Word extends WordSpec
  ? Word['about'] extends string
    ? Word extends { readonly orOption: string } | { readonly optional: true }
      ? string | undefined
      : string
    : keyof Word['about'] & string
  : undefined;

export interface CommandArguments<Spec extends CommandSpec> {
  readonly word: GivenWord<Spec['word']>;
  readonly object: GivenWord<Spec['object']>;
  readonly options: GivenOptions<Spec['options']>;
}

interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean | undefined;
}

/** A number from an option, or wrong usage that names the option and what it takes. */
export function readNumber(option: string, text: string, range: NumberRange): number {
  const { min, max, whole = false } = range;
  const number = Number(text);
  const plain = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text);
  const fits = plain && number >= min && number <= max;
  if (fits && (!whole || Number.isInteger(number))) return number;
  const kind = whole ? 'a whole number' : 'a number';
  throw new UsageError(`${option} takes ${kind} from ${min} to ${max}, not "${text}".`);
}

/** One of a few words from an option. */
export function readChoice<const Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`${option} takes ${listOfChoices(choices)}, not "${text}".`);
}

export function listOfChoices(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}
