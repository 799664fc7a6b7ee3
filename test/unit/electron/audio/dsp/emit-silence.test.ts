import { expect, it } from 'vitest';
import { emitSilence } from '../../../../../electron/audio/dsp/samples.ts';
import { seeded } from '../../../../fakes/seeded.ts';

it('emitSilence emits silence of the requested length', () => {
  const random = seeded(7);
  const lengths = [0, 1, 4095, 4096, 4097, 8192];
  for (let round = 0; round < 50; round += 1) lengths.push(Math.floor(random() * 40_000));
  for (const length of lengths) {
    let samples = 0;
    emitSilence(length, (block) => {
      expect(block.length).toBeGreaterThan(0);
      expect(block.every((sample) => sample === 0)).toBe(true);
      samples += block.length;
    });
    expect(samples).toBe(length);
  }
});

it('emitSilence emits nothing for a negative length', () => {
  emitSilence(-3, () => expect.unreachable());
});
