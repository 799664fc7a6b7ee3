import type { AppError } from '../errors/app-error.ts';
import { isJsonObject } from '../protocol/json.ts';

/** Reports a rejected value by its path, such as `audio.noise`, and by the rule; never the value itself. */
export type ReportProblem = (path: string, requirement: string, error?: AppError) => void;

interface NumberRange {
  readonly min: number;
  readonly max: number;
}

export interface SettingRule<Value> {
  /** Returns the valid parts of a value, and the fallback for the rest. */
  readonly read: (value: unknown, fallback: Value, path: string, report: ReportProblem) => Value;
  /** Limits of a number. */
  readonly range?: NumberRange | undefined;
}

/** A rule for a value without parts. */
interface ValueRule<Value> extends SettingRule<Value> {
  readonly requirement: string;
  /** The value as it is stored, or undefined if it is invalid. */
  readonly accepts: (value: unknown) => Value | undefined;
}

interface Setting<Value> extends SettingRule<Value> {
  readonly initial: Value;
}

/** Settings with values of any types. `never` for the fallback is safe, because each rule gets only fallbacks of its type. */
type SettingTable = Readonly<
  Record<string, Omit<Setting<unknown>, 'read'> & { readonly read: ReadAny }>
>;

type ReadAny = (value: unknown, fallback: never, path: string, report: ReportProblem) => unknown;

/** Inferred, so that go-to-definition on a value leads to its row. */
type ValuesIn<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name]['initial'];
};

export type ValueOf<Definition extends { readonly initial: unknown }> = Definition['initial'];

export function setting<Value>(rule: SettingRule<Value>, initial: NoInfer<Value>): Setting<Value> {
  return { read: rule.read, range: rule.range, initial };
}

export function valueRule<Value>(
  requirement: string,
  accepts: ValueRule<Value>['accepts'],
  range?: NumberRange,
): ValueRule<Value> {
  return {
    requirement,
    accepts,
    range,
    read: (value, fallback, path, report) => {
      if (value === undefined) return fallback;
      const accepted = accepts(value);
      if (accepted === undefined) report(path, requirement);
      return accepted ?? fallback;
    },
  };
}

export const booleanRule = valueRule('must be true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
);

export function numberRule(min: number, max: number): ValueRule<number> {
  const accepts = (value: unknown) =>
    typeof value === 'number' && value >= min && value <= max ? value : undefined;
  return valueRule(`must be a number from ${min} to ${max}`, accepts, { min, max });
}

export function integerRule(min: number, max: number): ValueRule<number> {
  const { accepts } = numberRule(min, max);
  return valueRule(
    `must be a whole number from ${min} to ${max}`,
    (value) => (Number.isInteger(value) ? accepts(value) : undefined),
    { min, max },
  );
}

export function choiceRule<const Choice extends string>(
  choices: readonly Choice[],
): ValueRule<Choice> {
  return valueRule(`must be one of ${choices.join(', ')}`, (value) =>
    choices.find((choice) => choice === value),
  );
}

/** Accepts the word, and what the rule accepts. For example: `forever`, or a number of days. */
export function wordOrRule<const Word extends string, Value>(
  word: Word,
  { requirement, accepts, range }: ValueRule<Value>,
): ValueRule<Value | Word> {
  return valueRule<Value | Word>(
    `${requirement}, or "${word}"`,
    (value) => (value === word ? word : accepts(value)),
    range,
  );
}

export function textRule(max: number, min = 0): ValueRule<string> {
  const length = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  return valueRule(`must be a text of ${length} characters`, (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max ? value : undefined,
  );
}

export function patternRule(pattern: RegExp, requirement: string): ValueRule<string> {
  return valueRule(requirement, (value) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined,
  );
}

/** A group of settings. Unknown names are reported and dropped. */
export function settingsGroup<const Table extends SettingTable>(
  table: Table,
): Setting<ValuesIn<Table>> & { readonly parts: Table } {
  const rows = Object.entries(table) as [keyof Table & string, Setting<unknown>][];
  const valuesBy = (valueOf: (name: keyof Table & string, row: Setting<unknown>) => unknown) =>
    Object.fromEntries(rows.map(([name, row]) => [name, valueOf(name, row)])) as ValuesIn<Table>;
  return {
    parts: table,
    initial: valuesBy((_name, { initial }) => initial),
    read: (value, fallback, path, report) => {
      if (value === undefined) return fallback;
      if (!isJsonObject(value)) {
        report(path, 'must be a group of settings');
        return fallback;
      }
      const childPath = (name: string): string => (path === '' ? name : `${path}.${name}`);
      for (const name of Object.keys(value)) {
        if (!Object.hasOwn(table, name)) report(childPath(name), 'is no setting of this version');
      }
      return valuesBy((name, row) => {
        const field = Object.hasOwn(value, name) ? value[name] : undefined;
        return row.read(field, fallback[name], childPath(name), report);
      });
    },
  };
}

/** The form of ids in settings and memory. */
export const idPattern = /^[a-z\d][a-z\d-]{0,39}$/;
