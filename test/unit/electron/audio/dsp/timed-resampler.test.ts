import { expect, it } from 'vitest';
import { TimedResampler } from '../../../../../electron/audio/dsp/sinc-resampler.ts';

it('says when each sample was captured, whatever it holds back', () => {
  const resampler = new TimedResampler(1000, 500);
  let given = 0;
  // A sample says when it was captured.
  for (let at = 0; at < 4000; at += 20) {
    const block = Float32Array.from({ length: 20 }, (_, n) => at + n);
    const got = resampler.convert(block, at);
    given += got.block.length;
    // What is before the first sample is silence, and sounds along for a while.
    if (at > 2000) expect(Math.abs((got.block[0] ?? 0) - got.at)).toBeLessThan(0.1);
  }
  expect(given).toBeGreaterThan(1900);
});
