import type { AppError } from '../errors/app-error.ts';
import { isJsonObject } from '../protocol/json.ts';

/**
 * Hears of a value that was not taken: its place and the rule it breaks, never the value itself; `error`
 * where the rule is one that there is a code for.
 */
export type ReportProblem = (place: string, must: string, error?: AppError) => void;

interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** What a setting may be. */
export interface SettingRule<Value> {
  /** Takes what is right of an unknown value, and the fallback where it is missing or wrong. */
  readonly read: (value: unknown, fallback: Value, place: string, report: ReportProblem) => Value;
  /** Its ends, where it is a number. */
  readonly range?: NumberRange | undefined;
}

/** The rule of a value without parts. */
interface ValueRule<Value> extends SettingRule<Value> {
  readonly must: string;
  /** Gives the value back as it is stored, or nothing. */
  readonly accepts: (value: unknown) => Value | undefined;
}

/** A rule together with the value that holds before anybody has changed it. */
interface Setting<Value> extends SettingRule<Value> {
  readonly initial: Value;
}

/** Settings by their names; a rule of any type is only ever given back a value of its own. */
type SettingTable = Readonly<
  Record<string, Omit<Setting<unknown>, 'read'> & { readonly read: ReadAny }>
>;

type ReadAny = (value: unknown, fallback: never, place: string, report: ReportProblem) => unknown;

/** What the settings of a table hold; a definition of one of them leads to its row there. */
type ValuesIn<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name]['initial'];
};

/** What a setting or a group of them holds. */
export type ValueOf<One extends { readonly initial: unknown }> = One['initial'];

export function setting<Value>(rule: SettingRule<Value>, initial: NoInfer<Value>): Setting<Value> {
  return { read: rule.read, range: rule.range, initial };
}

export function valueRule<Value>(
  must: string,
  accepts: ValueRule<Value>['accepts'],
  range?: NumberRange,
): ValueRule<Value> {
  return {
    must,
    accepts,
    range,
    read: (value, fallback, place, report) => {
      if (value === undefined) return fallback;
      const accepted = accepts(value);
      if (accepted === undefined) report(place, must);
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

/** A word, or what another rule takes: `forever`, or a number of days. */
export function wordOrRule<const Word extends string, Value>(
  word: Word,
  { must, accepts, range }: ValueRule<Value>,
): ValueRule<Value | Word> {
  return valueRule<Value | Word>(
    `${must}, or "${word}"`,
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

export function patternRule(form: RegExp, must: string): ValueRule<string> {
  return valueRule(must, (value) =>
    typeof value === 'string' && form.test(value) ? value : undefined,
  );
}

/** Several settings by their names. What is no setting of this version is reported and left out. */
export function settingsGroup<const Table extends SettingTable>(
  table: Table,
): Setting<ValuesIn<Table>> & { readonly parts: Table } {
  const rows = Object.entries(table) as [keyof Table & string, Setting<unknown>][];
  const valuesBy = (valueOf: (name: keyof Table & string, row: Setting<unknown>) => unknown) =>
    Object.fromEntries(rows.map(([name, row]) => [name, valueOf(name, row)])) as ValuesIn<Table>;
  return {
    parts: table,
    initial: valuesBy((_name, { initial }) => initial),
    read: (value, fallback, place, report) => {
      if (value === undefined) return fallback;
      if (!isJsonObject(value)) {
        report(place, 'must be a group of settings');
        return fallback;
      }
      const within = (name: string): string => (place === '' ? name : `${place}.${name}`);
      for (const name of Object.keys(value)) {
        if (!Object.hasOwn(table, name)) report(within(name), 'is no setting of this version');
      }
      return valuesBy((name, row) => {
        const given = Object.hasOwn(value, name) ? value[name] : undefined;
        return row.read(given, fallback[name], within(name), report);
      });
    },
  };
}

/** The form of everything that Parley gives an id to. */
export const idPattern = /^[a-z\d][a-z\d-]{0,39}$/;
