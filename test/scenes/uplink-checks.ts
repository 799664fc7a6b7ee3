import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { instant } from '../contract/sound/player.ts';
import { lastTurn } from './answer-checks.ts';
import { sentence } from './stage.ts';
import type { Stage } from './stage.ts';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';

export function isUserLoud(stage: Stage, since: number): boolean {
  return stage.noticesOf('level', since).some(({ who, peakDb }) => who === 'you' && peakDb > -30);
}

/** The user speaks, and the server receives only silence. */
export async function expectOnlySilence(stage: Stage): Promise<void> {
  // Sound in flight is sent.
  await wait(1300);
  const turns = lastTurn(await stage.view());
  const since = instant();
  await stage.speak(sentence('again'));
  expect(isUserLoud(stage, since)).toBe(true);
  await stage.eventually(
    'the server receives three appends',
    () => appendsSince(stage, since) >= 3,
  );
  expect(loudest(sentSince(stage, since))).toBeLessThan(1e-4);
  expect(lastTurn(await stage.view())).toBe(turns);
}

/** The user's speech reaches the server; the answer does not matter here. */
export async function expectSpeechSent(stage: Stage): Promise<void> {
  const since = instant();
  await stage.speak(sentence('again'));
  await stage.eventually('it goes to the server', () => loudest(sentSince(stage, since)) > 0.1);
}

export function appendsSince(stage: Stage, since: number): number {
  return stage.connection.appends.filter(({ at }) => at >= since).length;
}

export function sentSince(stage: Stage, since: number): Float32Array {
  return joinSamples(
    stage.connection.appends.flatMap(({ at, event }) => (at >= since ? [event.audio] : [])),
  );
}

export function loudest(samples: Float32Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}
