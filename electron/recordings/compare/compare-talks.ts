import type { TalkMeasures, TapeComparison } from '../../../shared/recordings/tape-comparison.ts';
import type { SpeechSegment } from '../replay/rendered-tape.ts';
import type { MeasuredTalk } from './measure-talk.ts';

/** Two talks side by side: what was answered to the same thing stands together, whatever else was answered. */
export function compareTalks(first: MeasuredTalk, second: MeasuredTalk): TapeComparison {
  const [one, other] = [first.measures, second.measures];
  const answers = pairsOf(first, second).flatMap(([left, right]) => {
    const [before, after] = [one.answers[left ?? -1], other.answers[right ?? -1]];
    if (before === undefined && after === undefined) return [];
    const same = sameWords(before?.text ?? '', after?.text ?? '');
    return [{ one: before, other: after, sameWords: same }];
  });
  const [before, after] = [one.latencyMs?.p95 ?? 0, other.latencyMs?.p95 ?? 0];
  const latencyRatio = before > 0 && after > 0 ? after / before : undefined;
  return { one, other, answers, sameWords: sameWords(allOf(one), allOf(other)), latencyRatio };
}

/** Numbers of answers. Who was never heard to speak, on either tape, can only be compared by the order of the answers. */
function pairsOf(first: MeasuredTalk, second: MeasuredTalk): readonly SpeechPair[] {
  const [one, other] = [first.measures.answers, second.measures.answers];
  if (first.speech.length === 0 || second.speech.length === 0)
    return byOrder(one.length, other.length);
  const unasked: SpeechPair = [first.answerTo.get(undefined), second.answerTo.get(undefined)];
  const asked = pairSpeech(first.speech, second.speech).map(([left, right]): SpeechPair => [
    left === undefined ? undefined : first.answerTo.get(left),
    right === undefined ? undefined : second.answerTo.get(right),
  ]);
  return [unasked, ...asked];
}

function allOf({ answers }: TalkMeasures): string {
  return answers.map(({ text }) => text).join(' ');
}

/** Which of the one's belongs to which of the other's; a number alone where the other has none. */
type SpeechPair = readonly [one: number | undefined, other: number | undefined];

/** A person who says the same again takes about as long; who plays it again, exactly as long. */
const lengthWeight = 0.6;
const placeWeight = 0.4;
/** So far apart the place says nothing any more: people who repeat a talk wait for other answers. */
const maxApartMs = 3000;
/** Two that are left alone cost as much as the worst pair: what was said in the same order is the same. */
const aloneCost = 0.5;
/** More are paired by their order: the table grows with the square. */
const maxStretches = 1000;

/** Pairs what was said in two talks, in order and by how long it took and when it was: the cheapest way through both. */
export function pairSpeech(
  one: readonly SpeechSegment[],
  other: readonly SpeechSegment[],
): readonly SpeechPair[] {
  if (Math.max(one.length, other.length) > maxStretches) return byOrder(one.length, other.length);
  const costs = costTable(one, other);
  const pairs: SpeechPair[] = [];
  for (let [left, right] = [one.length, other.length]; left + right > 0;) {
    const cost = at(costs, left, right);
    if (left > 0 && cost === at(costs, left - 1, right) + aloneCost) {
      left -= 1;
      pairs.push([left, undefined]);
    } else if (right > 0 && cost === at(costs, left, right - 1) + aloneCost) {
      right -= 1;
      pairs.push([undefined, right]);
    } else {
      left -= 1;
      right -= 1;
      pairs.push([left, right]);
    }
  }
  return pairs.toReversed();
}

/** What the cheapest way costs up to so many of each. */
function costTable(one: readonly SpeechSegment[], other: readonly SpeechSegment[]) {
  const later = usualDistance(one, other);
  const costs: number[][] = [Array.from({ length: other.length + 1 }, (_, n) => n * aloneCost)];
  for (const [n, left] of one.entries()) {
    const row = [(n + 1) * aloneCost];
    for (const [m, right] of other.entries()) {
      const apart = Math.abs(left.from + later - right.from);
      const paired = at(costs, n, m) + pairCost(left, right, apart);
      const alone = Math.min(at(costs, n, m + 1), row[m] ?? Infinity) + aloneCost;
      // Of two ways that cost the same, the one that pairs.
      row.push(paired <= alone ? paired - tieBreak : alone);
    }
    costs.push(row);
  }
  return costs;
}

const tieBreak = 1e-9;
const alike = 0.8;
const stepMs = 200;

function pairCost(left: SpeechSegment, right: SpeechSegment, apartMs: number): number {
  const length = 1 - likeLength(left, right);
  return lengthWeight * length + placeWeight * Math.min(1, apartMs / maxApartMs);
}

function likeLength(left: SpeechSegment, right: SpeechSegment): number {
  const [one, other] = [left.to - left.from, right.to - right.from];
  return Math.min(one, other) / Math.max(one, other, 1);
}

/** How much later the other's are, as most of those have it that could be the same. */
function usualDistance(one: readonly SpeechSegment[], other: readonly SpeechSegment[]): number {
  const counts = new Map<number, number>();
  for (const left of one)
    for (const right of other) {
      if (likeLength(left, right) < alike) continue;
      const step = Math.round((right.from - left.from) / stepMs);
      for (const near of [step - 1, step, step + 1])
        counts.set(near, (counts.get(near) ?? 0) + (near === step ? 2 : 1));
    }
  const most = Math.max(0, ...counts.values());
  return ([...counts].find(([, count]) => count === most)?.[0] ?? 0) * stepMs;
}

function at(costs: readonly (readonly number[])[], left: number, right: number): number {
  return costs[left]?.[right] ?? Infinity;
}

function byOrder(one: number, other: number): readonly SpeechPair[] {
  return Array.from({ length: Math.max(one, other) }, (_, n) => [
    n < one ? n : undefined,
    n < other ? n : undefined,
  ]);
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
