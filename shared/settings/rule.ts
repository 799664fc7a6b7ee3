import type { Why } from '../why.ts';

/**
 * Told of a value that was not taken: its place and the rule it breaks, never the value itself. `why`
 * where the rule is one that a page has words for.
 */
export type Complain = (place: string, must: string, why?: Why) => void;

/** What a setting may be. */
export interface Rule<Value> {
  /** Takes what is right of an unknown value, and the fallback where it is missing or wrong. */
  readonly read: (value: unknown, fallback: Value, place: string, complain: Complain) => Value;
}

export type Rules<Value> = { readonly [Name in keyof Value]-?: Rule<Value[Name]> };

/** A value without parts: `accepts` gives it back as it is kept, or nothing. */
export function leaf<Value>(
  must: string,
  accepts: (value: unknown) => Value | undefined,
): Rule<Value> {
  return {
    read: (value, fallback, place, complain) => {
      if (value === undefined) return fallback;
      const accepted = accepts(value);
      if (accepted !== undefined) return accepted;
      complain(place, must);
      return fallback;
    },
  };
}

export const flag: Rule<boolean> = leaf('must be true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
);

export function amount(least: number, most: number): Rule<number> {
  return leaf(`must be a number from ${least} to ${most}`, (value) =>
    typeof value === 'number' && value >= least && value <= most ? value : undefined,
  );
}

export function whole(least: number, most: number): Rule<number> {
  return leaf(`must be a whole number from ${least} to ${most}`, (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? Number(value)
      : undefined,
  );
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Rule<Choice> {
  return leaf(`must be one of ${choices.join(', ')}`, (value) =>
    choices.find((choice) => choice === value),
  );
}

/** A word, or what another rule takes: `forever`, or a number of days. */
export function wordOr<const Word extends string, Value>(
  word: Word,
  other: Rule<Value>,
): Rule<Value | Word> {
  return {
    read: (value, fallback, place, complain) => {
      if (value === undefined) return fallback;
      if (value === word) return word;
      let wrong: string | undefined;
      const read = other.read(value, fallback as Value, place, (_place, must) => (wrong = must));
      if (wrong === undefined) return read;
      complain(place, `${wrong}, or "${word}"`);
      return fallback;
    },
  };
}

export function text(most: number, least = 0): Rule<string> {
  const length = least === 0 ? `at most ${most}` : `${least} to ${most}`;
  return leaf(`must be a text of ${length} characters`, (value) =>
    typeof value === 'string' && value.length >= least && value.length <= most ? value : undefined,
  );
}

export function textLike(form: RegExp, must: string): Rule<string> {
  return leaf(must, (value) => (typeof value === 'string' && form.test(value) ? value : undefined));
}

/** Several settings by their names. What is no setting of this version is told and left out. */
export function group<Value extends object>(rules: Rules<Value>): Rule<Value> {
  return {
    read: (value, fallback, place, complain) => {
      if (value === undefined) return fallback;
      if (!isRecord(value)) {
        complain(place, 'must be a group of settings');
        return fallback;
      }
      const within = (name: string): string => (place === '' ? name : `${place}.${name}`);
      for (const name of Object.keys(value)) {
        if (!Object.hasOwn(rules, name)) complain(within(name), 'is no setting of this version');
      }
      const names = Object.keys(rules) as (keyof Value & string)[];
      const read = names.map((name) => {
        const given = Object.hasOwn(value, name) ? value[name] : undefined;
        return [name, rules[name].read(given, fallback[name], within(name), complain)] as const;
      });
      return Object.fromEntries(read) as unknown as Value;
    },
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
