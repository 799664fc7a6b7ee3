import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import type { CaptionedTurn, TalkView } from '../../shared/talk/talk-view.ts';
import { instant } from '../contract/sound/player.ts';
import { isLoud, monitorRate } from './monitor.ts';
import { sentence, type TalkHarness } from './talk-harness.ts';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';

/** Minimum likeness: stretched sound stays above it, and sound without its last 200 ms does not. */
export const minLikeness = 0.7;
/** A loose limit for anything that must happen at once, because the machine is shared. The benches measure latency exactly. */
export const soonMs = 800;

export const lastTurn = (view: TalkView): number => view.captions.at(-1)?.turn ?? 0;
export const isFullyHeard = ({ settled, heard, text, cutFrom }: CaptionedTurn): boolean =>
  settled && heard === text.length && cutFrom === undefined;

/** Retries, because a busy machine sometimes breaks sound; a fault of Parley repeats. */
const maxTries = 3;

/** Speaks, and checks that the whole answer is heard, with its captions. */
export async function expectAnswer(harness: TalkHarness): Promise<void> {
  let best = 0;
  for (let tries = 0; tries < maxTries && best <= minLikeness; tries += 1) {
    const before = lastTurn(await harness.view());
    const since = instant();
    await harness.speak(sentence('see'));
    best = Math.max(best, await expectFullAnswer(harness, before, since));
  }
  expect(best).toBeGreaterThan(minLikeness);
}

/** Returns the likeness of the heard sound; 0 if the answer was cut, because late events can look like a cut. */
async function expectFullAnswer(
  harness: TalkHarness,
  before: number,
  since: number,
): Promise<number> {
  const view = await harness.until('an answer is heard to its end', ({ captions, floor }) => {
    const last = captions.at(-1);
    if (last === undefined || last.turn <= before || floor !== 'nobody') return false;
    return isFullyHeard(last) || (last.settled && last.cutFrom !== undefined);
  });
  await wait(300);
  const outputs = harness.connection.outputsSince(since);
  const answer = joinSamples(outputs.flatMap(({ audio }) => audio ?? []));
  const heard = harness.monitor.since(since);
  const caption = view.captions.at(-1);
  if (caption === undefined) throw new Error('The answer has no caption.');
  if (!isFullyHeard(caption)) return 0;
  expect(caption.text).toBe(outputs.map(({ text = '' }) => text).join(''));
  // Captions must arrive in several steps.
  const followed = harness.noticesOf('caption', since).filter((patch) => patch.heard !== undefined);
  expect(followed.length).toBeGreaterThan(1);
  const floors = harness.noticesOf('floor', since);
  expect(floors).toContain('you');
  expect(floors.at(-1)).toBe('nobody');
  expect(floors).toContain('parley');
  return edgeLikeness(heard, answer, outputRate);
}

/** Speaks, and returns while the answer plays. */
export async function waitForAnswerStart(harness: TalkHarness): Promise<number> {
  const before = lastTurn(await harness.view());
  await harness.speak(sentence('see'));
  const view = await harness.until('the answer is heard', ({ captions, floor }) => {
    const last = captions.at(-1);
    return last !== undefined && last.turn > before && last.heard > 0 && floor === 'parley';
  });
  await harness.eventually('it is heard at the speaker', () => harness.monitor.sounds);
  return lastTurn(view);
}

function captionOf(view: TalkView, turn: number): CaptionedTurn | undefined {
  return view.captions.find((each) => each.turn === turn);
}

/** Returns the number of characters that were cut. */
export async function expectCut(harness: TalkHarness, turn: number): Promise<number> {
  const cut = await harness.until('the words are marked as cut', (view) => {
    const caption = captionOf(view, turn);
    return caption?.settled === true && caption.cutFrom !== undefined;
  });
  const { text = '', heard = 0, cutFrom = 0 } = captionOf(cut, turn) ?? {};
  expect(heard).toBeGreaterThan(0);
  expect(cutFrom).toBeGreaterThanOrEqual(heard);
  return text.length - cutFrom;
}

/** Waits for silence, because speech over an answer may get more than one reply. */
export async function waitForQuiet(harness: TalkHarness): Promise<void> {
  // An answer begins within two model steps.
  await wait(2500);
  await harness.eventually('nobody says anything more', async () => {
    const { captions, floor } = await harness.view();
    const lately = harness.connection.outputsSince(instant() - 2500).length > 0;
    return !lately && floor === 'nobody' && captions.every(({ settled }) => settled);
  });
}

export function appendsSince(harness: TalkHarness, since: number): number {
  return harness.connection.appends.filter(({ at }) => at >= since).length;
}

export function sentSince(harness: TalkHarness, since: number): Float32Array {
  return joinSamples(
    harness.connection.appends.flatMap(({ at, event }) => (at >= since ? [event.audio] : [])),
  );
}

export function loudest(samples: Float32Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

interface Match {
  /** Position in the recording, in samples. */
  readonly at: number;
  /** How alike the two sounds are, from 0 to 1, independent of volume. */
  readonly likeness: number;
}

/** Length of the compared start and end. If the server is slow, longer ones would more often contain a stretched place. */
const edgeMs = 120;
/** Tolerance for the time of the end, because sound of a slow server is stretched. */
const earlierMs = 100;
const laterMs = 800;

/**
 * The lower of the likenesses at the start and at the end of the sound. It searches the end only near its expected place,
 * because ends of words resemble each other.
 */
export function edgeLikeness(recording: Float32Array, sound: Float32Array, rate: number): number {
  const wanted = resample(sound, rate, monitorRate);
  const [from, to] = [wanted.findIndex(isLoud), wanted.findLastIndex(isLoud) + 1];
  const length = (edgeMs * monitorRate) / 1000;
  // If the sound is repeated, a start counts only if its end is recorded, too.
  const starts = recording.subarray(0, Math.max(0, recording.length - (to - from) + length));
  const first = bestMatch(starts, wanted.subarray(from, from + length));
  const due = first.at + (to - length - from);
  const early = Math.max(0, due - (earlierMs * monitorRate) / 1000);
  const late = due + length + (laterMs * monitorRate) / 1000;
  const last = bestMatch(recording.subarray(early, late), wanted.subarray(to - length, to));
  return Math.min(first.likeness, last.likeness);
}

function bestMatch(recording: Float32Array, wanted: Float32Array): Match {
  const power = energy(wanted, 0, wanted.length);
  let best: Match = { at: 0, likeness: 0 };
  if (power === 0) return best;
  let here = energy(recording, 0, wanted.length);
  for (let at = 0; at + wanted.length <= recording.length; at += 1) {
    if (here > power * 0.01) {
      const likeness = product(recording, at, wanted) / Math.sqrt(here * power);
      if (likeness > best.likeness) best = { at, likeness };
    }
    here += (recording[at + wanted.length] ?? 0) ** 2 - (recording[at] ?? 0) ** 2;
  }
  return best;
}

function energy(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += (samples[at] ?? 0) ** 2;
  return sum;
}

function product(recording: Float32Array, at: number, wanted: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < wanted.length; n += 1) sum += (recording[at + n] ?? 0) * (wanted[n] ?? 0);
  return sum;
}
