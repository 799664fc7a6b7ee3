import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import type { CaptionedTurn, TalkView } from '../../shared/talk/talk-view.ts';
import { instant } from '../contract/sound/player.ts';
import { edgeLikeness } from './monitor.ts';
import { sentence, type TalkHarness } from './talk-harness.ts';

/** Minimum likeness: stretched sound stays above it, and sound without its last 200 ms does not. */
export const minLikeness = 0.7;
/** A loose limit for a shared machine; the benches measure latency to the millisecond. */
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

/** Returns the likeness of the heard sound. */
export async function expectFullAnswer(
  harness: TalkHarness,
  before: number,
  since: number,
): Promise<number> {
  const view = await harness.until('an answer is heard to its end', ({ captions, floor }) => {
    const last = captions.at(-1);
    return last !== undefined && last.turn > before && isFullyHeard(last) && floor === 'nobody';
  });
  await wait(300);
  const outputs = harness.connection.outputsSince(since);
  const answer = joinSamples(outputs.flatMap(({ audio }) => audio ?? []));
  const heard = harness.monitor.since(since);
  const caption = view.captions.at(-1);
  if (caption === undefined) throw new Error('The answer has no caption.');
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

export function isUserLoud(harness: TalkHarness, since: number): boolean {
  return harness.noticesOf('level', since).some(({ who, peakDb }) => who === 'you' && peakDb > -30);
}

/** The user speaks, and the server receives only silence. */
export async function expectOnlySilence(harness: TalkHarness): Promise<void> {
  // Waits until sound in flight has been sent.
  await wait(1300);
  const turns = lastTurn(await harness.view());
  const since = instant();
  await harness.speak(sentence('again'));
  expect(isUserLoud(harness, since)).toBe(true);
  await harness.eventually(
    'the server receives three appends',
    () => appendsSince(harness, since) >= 3,
  );
  expect(loudest(sentSince(harness, since))).toBeLessThan(1e-4);
  expect(lastTurn(await harness.view())).toBe(turns);
}

/** The user's speech reaches the server; the answer does not matter here. */
export async function expectSpeechSent(harness: TalkHarness): Promise<void> {
  const since = instant();
  await harness.speak(sentence('again'));
  await harness.eventually('it goes to the server', () => loudest(sentSince(harness, since)) > 0.1);
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
