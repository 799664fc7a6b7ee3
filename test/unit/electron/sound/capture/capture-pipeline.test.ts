import { describe, expect, it } from 'vitest';
import {
  CapturePipeline,
  passThrough,
} from '../../../../../electron/sound/capture/capture-pipeline.ts';
import type { EchoCanceller } from '../../../../../electron/sound/capture/capture-pipeline.ts';
import { EchoReference } from '../../../../../electron/sound/capture/echo-reference.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const sound = (ms: number) => Math.sin(ms * 2.1) * 0.4 + Math.sin(ms * 7.3 + 1) * 0.4;

function chain(process: EchoCanceller) {
  const reference = new EchoReference({ playedRate: 24_000, capturedRate: 16_000 });
  return { reference, chain: new CapturePipeline({ rate: 16_000, reference, process }) };
}

describe('the capture chain', () => {
  it('ships without a canceller: what goes in comes out', () => {
    const { chain: plain } = chain(passThrough);
    const block = new Float32Array([0.1, -2, 0.3]);
    expect(plain.push(block, 0)).toEqual(new Float32Array([0.1, -2, 0.3]));
  });

  it('silences and counts what is no number before anybody sees it', () => {
    const seen: number[] = [];
    const { chain: cleaning, reference } = chain((block, played) => {
      seen.push(...block, ...played);
      return block;
    });
    reference.played(new Float32Array(480).fill(Number.NaN), 0, 0);
    cleaning.push(new Float32Array([1, Number.NaN, -Infinity]), 5);
    cleaning.push(new Float32Array([Number.NaN]), 5.2);
    expect(seen).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
    expect(cleaning.badSamples).toBe(3);
  });

  it('takes away an echo exactly, where the processor subtracts its reference', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const random = seeded(seed);
      // From loudspeaker to microphone and through the sound card.
      const delay = random() * 60;
      const { chain: cancelling, reference } = chain((block, played) => {
        expect(played.length).toBe(block.length);
        return block.map((sample, n) => sample - (played[n] ?? 0));
      });
      let position = 0;
      let now = 0;
      let worst = 0;
      for (let taken = 0; taken < 16_000;) {
        while (position < (taken + 2400) * 1.5) {
          const length = 200 + Math.floor(random() * 500);
          const start = position;
          const block = Float32Array.from({ length }, (_, n) => sound((start + n) / 24));
          reference.played(block, position, position / 24 + delay);
          position += length;
        }
        const length = Math.floor(random() * 640);
        now = taken / 16;
        const block = Float32Array.from({ length }, (_, n) => sound(now + n / 16 - delay));
        const rest = cancelling.push(block, now);
        if (now > delay + 5) worst = rest.reduce((most, x) => Math.max(most, Math.abs(x)), worst);
        taken += length;
      }
      expect(worst).toBeLessThan(0.01);
    }
  });

  it('does not tremble with the times of its blocks, and sees a lost one', () => {
    const random = seeded(6);
    const starts: number[] = [];
    const { chain: trembling, reference } = chain(passThrough);
    const fill = reference.fill.bind(reference);
    reference.fill = (into, from, step) => {
      starts.push(from);
      fill(into, from, step);
    };
    const time = (index: number) => 1000 + index * 20;
    for (let index = 0; index < 500; index += 1) {
      trembling.push(new Float32Array(320), time(index) + random() * 2 - 1);
    }
    starts.slice(100).forEach((start, n) => {
      expect(Math.abs(start - time(n + 100))).toBeLessThan(0.3);
    });
    trembling.push(new Float32Array(320), time(501));
    expect(starts.at(-1)).toBe(time(501));
  });
});
