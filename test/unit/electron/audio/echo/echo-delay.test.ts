import { describe, expect, it } from 'vitest';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { echoBlockSamples } from '../../../../../electron/audio/echo/echo-canceller.ts';
import { EchoDelayEstimator } from '../../../../../electron/audio/echo/echo-delay.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom, type EchoRoomOptions, powerDb } from '../../../../fakes/echo-room.ts';

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
