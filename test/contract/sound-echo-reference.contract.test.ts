import { expect, it } from 'vitest';
import type { Alignment } from './sound/chirp-and-hear.ts';
import { soundServerForEach } from './sound/server-for-each.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';

const { run } = await soundServerForEach((server) => server.loopBack());

it('an echo canceller gets the far end at its capture time', { timeout: 60_000 }, async () => {
  const { code, output } = await run('chirp-and-hear.ts');
  expect(code).toBe(0);
  const { offsets, levels, captured } = JSON.parse(output) as Alignment;
  const found = offsets.filter((offset) => typeof offset === 'number').toSorted((a, b) => a - b);
  const median = found[found.length >> 1] ?? Number.NaN;
  const worst = Math.max(...found.map((offset) => Math.abs(offset - median)));
  reportMeasurement(
    `echo reference: captured ${median.toFixed(1)} ms after it was heard, at most ` +
      `${worst.toFixed(1)} ms off that; ${found.length} chirps`,
  );
  expect(captured).toBeGreaterThan(12 * 16_000);
  expect(found.length).toBeGreaterThanOrEqual(10);
  // A busy machine breaks a chirp now and then, which does not affect the alignment.
  expect(Math.abs(median)).toBeLessThan(10);
  const aligned = found.filter((offset) => Math.abs(offset - median) < 5);
  expect(aligned.length).toBeGreaterThanOrEqual(8);
  const whole = levels.filter((level) => Math.abs(level ?? 99) < 0.5);
  expect(whole.length).toBeGreaterThanOrEqual(6);
});
