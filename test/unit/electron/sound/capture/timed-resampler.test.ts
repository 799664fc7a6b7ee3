import { expect, it } from 'vitest';
import { TimedResampler } from '../../../../../electron/sound/capture/timed-resampler.ts';

it('says when each sample was captured, whatever the converter holds back', () => {
  let held: number[] = [];
  // Half the rate, and the newest ten samples stay inside.
  const converter = new TimedResampler(
    {
      convert: (block) => {
        held.push(...block);
        const ready = held.slice(0, Math.max(0, held.length - 10) & ~1);
        held = held.slice(ready.length);
        return Float32Array.from(ready.filter((_, at) => at % 2 === 0));
      },
      restart: () => undefined,
      close: () => undefined,
    },
    1000,
    500,
  );
  // A sample says when it was captured.
  for (let at = 0; at < 400; at += 20) {
    const block = Float32Array.from({ length: 20 }, (_, n) => at + n);
    const got = converter.convert(block, at);
    expect(got.block[0]).toBeCloseTo(got.at, 6);
  }
});
