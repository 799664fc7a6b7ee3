import type { SpeechStretch } from '../export/speech-stretches.ts';

/** Which of the one's belongs to which of the other's; a number alone where the other has none. */
export type SpeechPair = readonly [one: number | undefined, other: number | undefined];

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
  one: readonly SpeechStretch[],
  other: readonly SpeechStretch[],
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
function costTable(one: readonly SpeechStretch[], other: readonly SpeechStretch[]) {
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

function pairCost(left: SpeechStretch, right: SpeechStretch, apartMs: number): number {
  const length = 1 - likeLength(left, right);
  return lengthWeight * length + placeWeight * Math.min(1, apartMs / maxApartMs);
}

function likeLength(left: SpeechStretch, right: SpeechStretch): number {
  const [one, other] = [left.to - left.from, right.to - right.from];
  return Math.min(one, other) / Math.max(one, other, 1);
}

/** How much later the other's are, as most of those have it that could be the same. */
function usualDistance(one: readonly SpeechStretch[], other: readonly SpeechStretch[]): number {
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

export function byOrder(one: number, other: number): readonly SpeechPair[] {
  return Array.from({ length: Math.max(one, other) }, (_, n) => [
    n < one ? n : undefined,
    n < other ? n : undefined,
  ]);
}
