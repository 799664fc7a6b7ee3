import type { Film } from '../film.ts';
import { speechStretches } from './speech-stretches.ts';

/** One talk, as far as two can be compared. */
export interface TalkMeasures {
  readonly answers: readonly MeasuredAnswer[];
  readonly latencyMs: Percentiles | undefined;
  readonly interruptions: number;
  readonly reconnects: number;
  /** The codes of what went wrong, in order. */
  readonly troubles: readonly string[];
}

export interface MeasuredAnswer {
  readonly at: number;
  readonly text: string;
  /** From the end of what the person said before it to its first sound; none where nobody spoke. */
  readonly latencyMs: number | undefined;
}

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

export interface TapeComparison {
  readonly one: TalkMeasures;
  readonly other: TalkMeasures;
  /** Side by side, by their order. */
  readonly answers: readonly {
    readonly one: MeasuredAnswer | undefined;
    readonly other: MeasuredAnswer | undefined;
    readonly sameWords: number;
  }[];
  /** From 0 to 1, of all answers. */
  readonly sameWords: number;
  /** The other's p95 by the one's; none where either has none. */
  readonly latencyRatio: number | undefined;
}

export function compareFilms(first: Film, second: Film): TapeComparison {
  const [one, other] = [measuresOf(first), measuresOf(second)];
  const count = Math.max(one.answers.length, other.answers.length);
  const answers = Array.from({ length: count }, (_, index) => {
    const [left, right] = [one.answers[index], other.answers[index]];
    return { one: left, other: right, sameWords: sameWords(left?.text ?? '', right?.text ?? '') };
  });
  const [before, after] = [one.latencyMs?.p95 ?? 0, other.latencyMs?.p95 ?? 0];
  const latencyRatio = before > 0 && after > 0 ? after / before : undefined;
  return { one, other, answers, sameWords: sameWords(allOf(one), allOf(other)), latencyRatio };
}

function allOf({ answers }: TalkMeasures): string {
  return answers.map(({ text }) => text).join(' ');
}

function measuresOf(film: Film): TalkMeasures {
  const stretches = speechStretches(film);
  const { captions } = film.sceneAt(Infinity).talk;
  const answers = film.turns.map(({ turn, from }, index) => {
    const text = captions.find((one) => one.turn === turn)?.text ?? '';
    const after = film.turns[index - 1]?.from ?? 0;
    const spoke = stretches.findLast(({ to }) => to <= from && to > after);
    return { at: from, text, latencyMs: spoke && Math.round(from - spoke.to) };
  });
  const count = (kind: string): number => film.marks.filter((mark) => mark.kind === kind).length;
  return {
    answers,
    latencyMs: percentiles(answers.flatMap(({ latencyMs }) => latencyMs ?? [])),
    interruptions: count('interruption'),
    reconnects: count('reconnect'),
    troubles: film.marks.flatMap(({ kind, error }) =>
      error !== undefined && kind !== 'ending' ? [error.code] : [],
    ),
  };
}

function percentiles(values: readonly number[]): Percentiles | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
  return sorted.length === 0 ? undefined : { p50: at(0.5), p95: at(0.95) };
}

const token = /\p{Script=Han}|[\p{L}\p{N}]+/gu;
/** More is compared in its beginning only: the table grows with the square. */
const maxTokens = 3000;

/** How much of two texts is the same words in the same order, from 0 to 1; two that are empty are alike. */
export function sameWords(one: string, other: string): number {
  const [left, right] = [one, other].map((text) =>
    (text.toLowerCase().match(token) ?? []).slice(0, maxTokens),
  ) as [string[], string[]];
  if (left.length + right.length === 0) return 1;
  let row = Array.from({ length: right.length + 1 }, () => 0);
  for (const word of left) {
    const next = [0];
    for (const [n, against] of right.entries())
      next.push(word === against ? (row[n] ?? 0) + 1 : Math.max(row[n + 1] ?? 0, next[n] ?? 0));
    row = next;
  }
  return (2 * (row.at(-1) ?? 0)) / (left.length + right.length);
}
