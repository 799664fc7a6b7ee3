import type { AppError } from '../errors/app-error.ts';

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

export type SettingRules<Value> = { readonly [Name in keyof Value]-?: SettingRule<Value[Name]> };

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
export function groupRule<Value extends object>(rules: SettingRules<Value>): SettingRule<Value> {
  return {
    read: (value, fallback, place, report) => {
      if (value === undefined) return fallback;
      if (!isRecord(value)) {
        report(place, 'must be a group of settings');
        return fallback;
      }
      const within = (name: string): string => (place === '' ? name : `${place}.${name}`);
      for (const name of Object.keys(value)) {
        if (!Object.hasOwn(rules, name)) report(within(name), 'is no setting of this version');
      }
      const names = Object.keys(rules) as (keyof Value & string)[];
      const read = names.map((name) => {
        const given = Object.hasOwn(value, name) ? value[name] : undefined;
        return [name, rules[name].read(given, fallback[name], within(name), report)] as const;
      });
      return Object.fromEntries(read) as unknown as Value;
    },
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
