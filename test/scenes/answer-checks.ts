import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import type { CaptionedTurn } from '../../shared/talk/captions.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import { instant } from '../contract/sound/player.ts';
import { wholeIn } from './monitor.ts';
import { sentence, type Stage } from './stage.ts';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';

/** Minimum likeness: stretched sound stays above it, and sound without its last 200 ms does not. */
export const minLikeness = 0.7;
/** A loose limit for a shared machine; the benches measure latency to the millisecond. */
export const soonMs = 800;

export const lastTurn = (view: TalkView): number => view.captions.at(-1)?.turn ?? 0;
export const isWhole = ({ settled, heard, text, cutFrom }: CaptionedTurn): boolean =>
  settled && heard === text.length && cutFrom === undefined;

/** Retries, because a busy machine sometimes breaks sound; a fault of Parley repeats. */
const maxTries = 3;

/** Speaks, and checks that the whole answer is heard, with its captions. */
export async function expectAnswer(stage: Stage): Promise<void> {
  let best = 0;
  for (let tries = 0; tries < maxTries && best <= minLikeness; tries += 1) {
    const before = lastTurn(await stage.view());
    const since = instant();
    await stage.speak(sentence('see'));
    best = Math.max(best, await expectWholeAnswer(stage, before, since));
  }
  expect(best).toBeGreaterThan(minLikeness);
}

/** Returns the likeness of the heard sound. */
export async function expectWholeAnswer(
  stage: Stage,
  before: number,
  since: number,
): Promise<number> {
  const view = await stage.until('an answer is heard to its end', ({ captions, floor }) => {
    const last = captions.at(-1);
    return last !== undefined && last.turn > before && isWhole(last) && floor === 'nobody';
  });
  await wait(300);
  const outputs = stage.connection.outputsSince(since);
  const answer = joinSamples(outputs.flatMap(({ audio }) => audio ?? []));
  const heard = stage.monitor.since(since);
  const caption = view.captions.at(-1);
  if (caption === undefined) throw new Error('The answer has no caption.');
  expect(caption.text).toBe(outputs.map(({ text = '' }) => text).join(''));
  // Captions must arrive in several steps.
  const followed = stage.noticesOf('caption', since).filter((patch) => patch.heard !== undefined);
  expect(followed.length).toBeGreaterThan(1);
  const floors = stage.noticesOf('floor', since);
  expect(floors).toContain('you');
  expect(floors.at(-1)).toBe('nobody');
  expect(floors).toContain('parley');
  return wholeIn(heard, answer, outputRate);
}

/** Speaks, and returns while the answer plays. */
export async function waitForAnswerStart(stage: Stage): Promise<number> {
  const before = lastTurn(await stage.view());
  await stage.speak(sentence('see'));
  const view = await stage.until('the answer is heard', ({ captions, floor }) => {
    const last = captions.at(-1);
    return last !== undefined && last.turn > before && last.heard > 0 && floor === 'parley';
  });
  await stage.eventually('it is heard at the speaker', () => stage.monitor.sounds);
  return lastTurn(view);
}

function captionOf(view: TalkView, turn: number): CaptionedTurn | undefined {
  return view.captions.find((each) => each.turn === turn);
}

/** Returns the number of characters that were not heard. */
export async function expectCut(stage: Stage, turn: number): Promise<number> {
  const cut = await stage.until('the words are marked as cut', (view) => {
    const caption = captionOf(view, turn);
    return caption?.settled === true && caption.cutFrom !== undefined;
  });
  const { text = '', heard = 0, cutFrom = 0 } = captionOf(cut, turn) ?? {};
  expect(heard).toBeGreaterThan(0);
  expect(cutFrom).toBeGreaterThanOrEqual(heard);
  return text.length - cutFrom;
}

/** Waits for silence, because speech over an answer may get more than one reply. */
export async function waitForQuiet(stage: Stage): Promise<void> {
  // An answer begins within two model steps.
  await wait(2500);
  await stage.eventually('nobody says anything more', async () => {
    const { captions, floor } = await stage.view();
    const lately = stage.connection.outputsSince(instant() - 2500).length > 0;
    return !lately && floor === 'nobody' && captions.every(({ settled }) => settled);
  });
}
