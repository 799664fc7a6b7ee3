import type { AppError } from '../errors/app-error.ts';
import { isJsonObject } from '../protocol/json.ts';

/**
 * Hears of a value that was not taken: its place and the rule it breaks, never the value itself; `error`
 * where the rule is one that there is a code for.
 */
export type ReportProblem = (place: string, must: string, error?: AppError) => void;

/** What a setting may be. */
export interface SettingRule<Value> {
  /** Takes what is right of an unknown value, and the fallback where it is missing or wrong. */
  readonly read: (value: unknown, fallback: Value, place: string, report: ReportProblem) => Value;
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
  return { read: rule.read, initial };
}

/** A value without parts: `accepts` gives it back as it is stored, or nothing. */
export function valueRule<Value>(
  must: string,
  accepts: (value: unknown) => Value | undefined,
): SettingRule<Value> {
  return {
    read: (value, fallback, place, report) => {
      if (value === undefined) return fallback;
      const accepted = accepts(value);
      if (accepted !== undefined) return accepted;
      report(place, must);
      return fallback;
    },
  };
}

export const booleanRule: SettingRule<boolean> = valueRule('must be true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
);

export function numberRule(min: number, max: number): SettingRule<number> {
  return valueRule(`must be a number from ${min} to ${max}`, (value) =>
    typeof value === 'number' && value >= min && value <= max ? value : undefined,
  );
}

export function integerRule(min: number, max: number): SettingRule<number> {
  return valueRule(`must be a whole number from ${min} to ${max}`, (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max
      ? Number(value)
      : undefined,
  );
}

export function choiceRule<const Choice extends string>(
  choices: readonly Choice[],
): SettingRule<Choice> {
  return valueRule(`must be one of ${choices.join(', ')}`, (value) =>
    choices.find((choice) => choice === value),
  );
}

/** A word, or what another rule takes: `forever`, or a number of days. */
export function wordOrRule<const Word extends string, Value>(
  word: Word,
  other: SettingRule<Value>,
): SettingRule<Value | Word> {
  return {
    read: (value, fallback, place, report) => {
      if (value === undefined) return fallback;
      if (value === word) return word;
      let wrong: string | undefined;
      const read = other.read(value, fallback as Value, place, (_place, must) => (wrong = must));
      if (wrong === undefined) return read;
      report(place, `${wrong}, or "${word}"`);
      return fallback;
    },
  };
}

export function textRule(max: number, min = 0): SettingRule<string> {
  const length = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  return valueRule(`must be a text of ${length} characters`, (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max ? value : undefined,
  );
}

export function patternRule(form: RegExp, must: string): SettingRule<string> {
  return valueRule(must, (value) =>
    typeof value === 'string' && form.test(value) ? value : undefined,
  );
}

/** Several settings by their names. What is no setting of this version is reported and left out. */
export function settingsGroup<const Table extends SettingTable>(
  table: Table,
): Setting<ValuesIn<Table>> {
  const rows = Object.entries(table) as [keyof Table & string, Setting<unknown>][];
  const valuesBy = (valueOf: (name: keyof Table & string, row: Setting<unknown>) => unknown) =>
    Object.fromEntries(rows.map(([name, row]) => [name, valueOf(name, row)])) as ValuesIn<Table>;
  return {
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
