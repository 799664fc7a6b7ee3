/** Describes a command. The argument reader, the help, shell completion and docs/commands.md all use it. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly word?: WordSpec | undefined;
  /** A second positional argument, which the first acts on. */
  readonly object?: WordSpec | undefined;
  /** Options by name without dashes, in the order of the help. */
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Input that the command takes while it runs, with descriptions. */
  readonly typed?: readonly (readonly [string, string])[] | undefined;
  readonly notes?: readonly string[] | undefined;
}

export interface WordSpec {
  /** The name in the usage line. */
  readonly name: string;
  /** A description, or one for each permitted word. */
  readonly about: string | Readonly<Record<string, string>>;
  readonly missing: string;
  readonly optional?: true;
  readonly file?: true;
  /** An option that can be used instead of the argument. */
  readonly orOption?: string;
}

export interface OptionSpec {
  readonly about: string;
  /** The placeholder of the value in the usage line. An option without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly range?: NumberRange;
  /** Parses the value, or throws a `UsageError`. */
  readonly read?: (text: string) => unknown;
  /** The value is a path, which shells complete. */
  readonly file?: true;
  /** The value may be omitted. */
  readonly alone?: true;
  /** The value must not be empty, as that of an unset shell variable is, because it would mean another address or folder. */
  readonly filled?: true;
  readonly many?: true;
  readonly required?: true;
  readonly needs?: string;
  /** An earlier option that excludes this one. If either is `required`, one of the two must be given. */
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

/** Parsed values by option name in camel case: `--max-seconds` is `maxSeconds`. */
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

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly integer?: boolean | undefined;
}
