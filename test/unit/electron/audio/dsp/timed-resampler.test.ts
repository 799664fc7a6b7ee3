import { expect, it } from 'vitest';
import { TimedResampler } from '../../../../../electron/audio/dsp/sinc-resampler.ts';

it('TimedResampler returns the capture time of each output sample despite its delay', () => {
  const resampler = new TimedResampler(1000, 500);
  let pushed = 0;
  // The sample values are capture times.
  for (let at = 0; at < 4000; at += 20) {
    const block = Float32Array.from({ length: 20 }, (_, n) => at + n);
    const got = resampler.convert(block, at);
    pushed += got.block.length;
    // The silence before the first sample rings for a while.
    if (at > 2000) expect(Math.abs((got.block[0] ?? 0) - got.at)).toBeLessThan(0.1);
  }
  expect(pushed).toBeGreaterThan(1900);
});
