import { UsageError } from '../terminal-command.ts';

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

export function readOptionalNumber(
  option: string,
  text: string | undefined,
  range: NumberRange,
): number | undefined {
  return text === undefined ? undefined : readNumber(option, text, range);
}

/** One of a few words from an option. */
export function readChoice<const Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const list = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  throw new UsageError(`${option} takes ${list}, not "${text}".`);
}
