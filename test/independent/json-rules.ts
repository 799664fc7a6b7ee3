/** Lists everything wrong with a value; `at` is its path. */
export type Rule = (value: unknown, at: string) => readonly string[];

const good: readonly string[] = [];

export const text: Rule = (value, at) =>
  typeof value === 'string' ? good : [`${at} is not a string`];

export const flag: Rule = (value, at) =>
  typeof value === 'boolean' ? good : [`${at} is not true or false`];

export const number: Rule = (value, at) =>
  typeof value === 'number' ? good : [`${at} is not a number`];

export function integer(least: number, most: number): Rule {
  return (value, at) => {
    if (!Number.isInteger(value)) return [`${at} is not a whole number`];
    const fits = Number(value) >= least && Number(value) <= most;
    return fits ? good : [`${at} is not from ${String(least)} to ${String(most)}`];
  };
}

export function oneOf(...values: readonly unknown[]): Rule {
  return (value, at) =>
    values.includes(value) ? good : [`${at} is not one of ${values.join(', ')}`];
}

export const anything: Rule = () => good;

export function list(item: Rule, least = 0): Rule {
  return (value, at) => {
    if (!Array.isArray(value)) return [`${at} is not a list`];
    if (value.length < least) return [`${at} has fewer than ${String(least)}`];
    return value.flatMap((entry, index) => item(entry, `${at}[${String(index)}]`));
  };
}

/** An object with these fields and no others; a name that ends in `!` is required. */
export function shape(fields: Readonly<Record<string, Rule>>): Rule {
  const rules = new Map(
    Object.entries(fields).map(([name, rule]) => [name.replace('!', ''), rule]),
  );
  const required = Object.keys(fields).filter((name) => name.endsWith('!'));
  return (value, at) => {
    if (!isObject(value)) return [`${at} is not an object`];
    const missing = required
      .map((name) => name.slice(0, -1))
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => `${at}.${name} is missing`);
    const wrong = Object.entries(value).flatMap(([name, entry]) => {
      const rule = rules.get(name);
      return rule === undefined
        ? [`${at}.${name} is in no document`]
        : rule(entry, `${at}.${name}`);
    });
    return [...missing, ...wrong];
  };
}

/** An object with any fields, of which the given ones are checked. */
export function openShape(fields: Readonly<Record<string, Rule>>): Rule {
  return (value, at) => {
    if (!isObject(value)) return [`${at} is not an object`];
    return Object.entries(value).flatMap(
      ([name, entry]) => fields[name]?.(entry, `${at}.${name}`) ?? [],
    );
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
