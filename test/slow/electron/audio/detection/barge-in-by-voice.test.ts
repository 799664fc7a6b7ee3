import { describe, expect, it } from 'vitest';
import {
  BargeInDetector,
  defaultBargeInOptions,
} from '../../../../../electron/audio/detection/barge-in.ts';
import { VoiceModel } from '../../../../../electron/audio/detection/voice-model.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { createNoise } from '../../../../fakes/noises.ts';
import { scaledToDb, spokenScene } from '../../../../fakes/spoken-scene.ts';

const blockMs = 20;
const block = (inputRate * blockMs) / 1000;

/** Finds when the answer is ducked, in milliseconds, with the voice model or by level alone. */
function findBargeIns(sound: Float32Array, byVoice: boolean): readonly number[] {
  const detector = new BargeInDetector(defaultBargeInOptions);
  const model = new VoiceModel();
  const times: number[] = [];
  for (let from = 0; from + block <= sound.length; from += block) {
    const part = sound.subarray(from, from + block);
    model.push(part);
    const at = (from / inputRate) * 1000;
    const event = detector.push(part, at, true, {
      likelihood: byVoice ? model.likelihood : undefined,
    });
    if (event === 'duck') times.push(at);
  }
  return times;
}

const room = (length: number): Float32Array => scaledToDb(createNoise('white', length, 5), -62);

describe('ducking with the voice model', () => {
  it('is on average no later than by level alone', () => {
    const { sound, speaks } = spokenScene({ pauseMs: 1500 });
    const noise = room(sound.length);
    const heard = sound.map((sample, n) => sample + (noise[n] ?? 0));
    const begins = speaks.flatMap((now, step) =>
      now && !speaks.slice(Math.max(0, step - 100), step).includes(true) ? [step * 10] : [],
    );
    const [byVoice, byLevel] = [findBargeIns(heard, true), findBargeIns(heard, false)];
    const first = (times: readonly number[], begin: number): number =>
      (times.find((time) => time >= begin) ?? Infinity) - begin;
    const late = begins.map((begin) => first(byVoice, begin) - first(byLevel, begin));
    expect(begins).toHaveLength(8);
    expect(Math.max(...late), late.join(' ')).toBeLessThanOrEqual(100);
    expect(
      late.reduce((sum, ms) => sum + ms, 0),
      late.join(' '),
    ).toBeLessThanOrEqual(0);
  });

  it.each(['keyboard', 'cough'] as const)(
    'reacts to noise less than a quarter as often as by level alone: %s',
    (kind) => {
      const length = 30 * inputRate;
      const noise = room(length);
      const heard = scaledToDb(createNoise(kind, length, 7), -32).map(
        (sample, n) => sample + (noise[n] ?? 0),
      );
      const [byVoice, byLevel] = [findBargeIns(heard, true), findBargeIns(heard, false)];
      expect(byLevel.length).toBeGreaterThan(15);
      expect(byVoice.length).toBeLessThan(byLevel.length / 4);
    },
  );
});
