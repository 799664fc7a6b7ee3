import { describe, expect, it } from 'vitest';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { echoBlockSamples } from '../../../../../electron/audio/echo/echo-canceller.ts';
import {
  EchoDelayEstimator,
  EchoShiftEstimator,
} from '../../../../../electron/audio/echo/echo-delay.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom, type EchoRoomOptions, powerDb } from '../../../../fakes/echo-room.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const block = echoBlockSamples;

/** The measured delay in a simulated room, and the seconds it took. */
function findIn(
  options: EchoRoomOptions,
): { readonly ms: number; readonly after: number } | undefined {
  const { microphone, played } = echoRoom(options);
  const delay = new EchoDelayEstimator();
  for (let from = 0; from + block <= played.length; from += block) {
    const now = played.subarray(from, from + block);
    const isPlayed = now.some((sample) => Math.abs(sample) > 1e-4);
    const ms = delay.follow(microphone.subarray(from, from + block), now, isPlayed);
    if (ms !== undefined) return { ms, after: from / inputRate };
  }
  return undefined;
}

describe('EchoDelayEstimator', () => {
  it.each([60, 200, 300, 400, 500])(
    'measures the delay within two and a half seconds of an answer (%i ms)',
    (delayMs) => {
      for (const seed of [1, 2, 3, 4]) {
        const found = findIn({ seed, delayMs });
        expect(found?.ms).toBeGreaterThan(delayMs - 5);
        expect(found?.ms).toBeLessThan(delayMs + 15);
        expect(found?.after).toBeLessThan(2.5);
      }
    },
  );

  it('measures the delay during near-end speech', () => {
    const found = findIn({ seed: 5, delayMs: 350, speaks: [[0, 12]], seconds: 12 });
    expect(found?.ms).toBeGreaterThan(345);
    expect(found?.ms).toBeLessThan(365);
  });

  it('finds no delay without an echo even during speech', () => {
    for (const seed of [1, 2, 3])
      expect(findIn({ seed, echoDb: -120, speaks: [[0, 12]] })).toBeUndefined();
    expect(findIn({ seed: 4, echoDb: -120 })).toBeUndefined();
  });
});

describe('AdaptiveCanceller with a late echo', () => {
  it.each([250, 400])('removes an echo that comes %i ms late', (delayMs) => {
    const { microphone, played } = echoRoom({ seed: 7, delayMs, seconds: 14 });
    const canceller = new AdaptiveCanceller();
    const left = new Float32Array(microphone.length);
    for (let from = 0; from + block <= microphone.length; from += block) {
      const reference = new Float32Array(block);
      const at = from + Math.round((canceller.leadMs * inputRate) / 1000);
      for (let n = 0; n < block; n += 1) reference[n] = played[at + n] ?? 0;
      left.set(canceller.process(microphone.slice(from, from + block), reference), from);
    }
    expect(powerDb(left, 8, 13) - powerDb(microphone, 8, 13)).toBeLessThan(-25);
  });
});

describe('EchoShiftEstimator', () => {
  const block = 160;
  const blocks = 45;

  /** The measured shift of an echo mixed with other sound. */
  function found(later: number, other: number, samples = 3200): number | undefined {
    const random = seeded(7);
    const noise = (): number => random() * 2 - 1;
    const sound = Float32Array.from({ length: blocks * block + 4000 }, noise);
    const shift = new EchoShiftEstimator();
    for (let from = 2000; from < 2000 + blocks * block; from += block) {
      const captured = Float32Array.from({ length: block }, (_, n) => {
        return 0.1 * (sound[from + n - later] ?? 0) + other * noise();
      });
      shift.push(captured, sound.subarray(from, from + block));
    }
    return shift.find(samples);
  }

  it.each([0, 5, 160, 1500, -5, -320, -600])('finds an echo %d samples later', (later) => {
    expect(found(later, 0)).toBeCloseTo(later, 1);
    expect(found(later, 0.1)).toBeCloseTo(later, 1);
  });

  it('finds nothing without an echo', () => {
    expect(found(0, 3)).toBeUndefined();
    expect(found(5000, 0.1)).toBeUndefined();
  });

  it('searches only the sound that it has', () => {
    expect(new EchoShiftEstimator().find(3200)).toBeUndefined();
    const shift = new EchoShiftEstimator();
    shift.push(new Float32Array(block).fill(0.1), new Float32Array(block));
    expect(shift.find(3200)).toBeUndefined();
  });
});
