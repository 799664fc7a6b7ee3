import { UsageError } from '../exit-code.ts';

export interface NumberRange {
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
