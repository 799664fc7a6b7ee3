import { describe, expect, it } from 'vitest';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { echoMemorySamples } from '../../../../../electron/audio/echo/echo-canceller.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const random = seeded(4);
const noise = (level: number) =>
  Float32Array.from({ length: 160 }, () => (random() * 2 - 1) * level);
const silence = new Float32Array(160);

/** Plays this many blocks of noise, a share of which returns as echo. */
function play(canceller: AdaptiveCanceller, blocks: number, share: number): void {
  for (let block = 0; block < blocks; block += 1) {
    const played = noise(0.3);
    const own = noise(0.001);
    const frame = played.map((sample, n) => share * sample + (own[n] ?? 0));
    canceller.process(frame, played);
  }
}

describe('AdaptiveCanceller', () => {
  it('only delays the sound by 10 ms while nothing plays', () => {
    const canceller = new AdaptiveCanceller();
    let before = silence;
    for (let block = 0; block < 200; block += 1) {
      const frame = noise(0.5);
      const late = canceller.process(frame, silence);
      late.forEach((sample, n) => {
        expect(Math.abs(sample - (before[n] ?? 0))).toBeLessThan(1e-5);
      });
      before = frame;
    }
    expect(canceller.finding).toBe('unknown');
  });

  it('reports whether there is an echo, and leaves the sound unchanged without one', () => {
    const heard = new AdaptiveCanceller();
    play(heard, 100, 0.3);
    expect(heard.finding).toBe('heard');
    const none = new AdaptiveCanceller();
    play(none, 300, 0);
    expect(none.finding).toBe('unknown');
    play(none, 200, 0);
    expect(none.finding).toBe('none');
    const frame = noise(0.1);
    none.process(frame, noise(0.3));
    const late = none.process(noise(0.1), noise(0.3));
    late.forEach((sample, n) => {
      expect(Math.abs(sample - (frame[n] ?? 0))).toBeLessThan(1e-5);
    });
    // The headphones are unplugged.
    play(none, 300, 0.3);
    expect(none.finding).toBe('heard');
  });

  it('still cancels playback from before a gap', () => {
    const canceller = new AdaptiveCanceller();
    // Playback is heard 30 ms later.
    const played = Array.from({ length: 400 }, () => noise(0.3));
    const echoInBlock = (block: number) =>
      (played[block - 3] ?? silence).map((sample) => sample * 0.3);
    const run = (from: number, to: number): number => {
      let left = 0;
      for (let block = from; block < to; block += 1) {
        const clean = canceller.process(echoInBlock(block), played[block] ?? silence);
        left = Math.max(left, ...clean.map((sample) => Math.abs(sample)));
      }
      return left;
    };
    run(0, 300);
    const before = new Float32Array(echoMemorySamples);
    played.slice(305 - 38, 305).forEach((block, n) => {
      before.set(block, n * block.length);
    });
    canceller.resume(before);
    expect(run(305, 306)).toBeLessThan(0.09 * 0.5);
    expect(run(306, 330)).toBeLessThan(0.09 * 0.2);
  });

  it('starts without knowledge for another microphone', () => {
    const canceller = new AdaptiveCanceller();
    play(canceller, 200, 0.3);
    canceller.reset();
    expect(canceller.finding).toBe('unknown');
    expect(canceller.leadMs).toBe(20);
  });

  it('keeps its knowledge of the room across a gap', () => {
    const canceller = new AdaptiveCanceller();
    play(canceller, 200, 0.3);
    canceller.resume(new Float32Array(echoMemorySamples));
    expect(canceller.finding).toBe('heard');
    let left = 0;
    for (let block = 0; block < 20; block += 1) {
      const played = noise(0.3);
      const clean = canceller.process(
        played.map((sample) => sample * 0.3),
        played,
      );
      left = Math.max(left, ...clean.map((sample) => Math.abs(sample)));
    }
    expect(left).toBeLessThan(0.3 * 0.3 * 0.3);
  });
});
