import { expect, it } from 'vitest';
import { seeded } from '../../fakes/seeded.ts';
import { lineThrough, riseByChance } from '../../soak/line-through.ts';

const points = 20;
const random = seeded(7);
/** Sums of dice are spread as what many causes make late. */
const late = (): number => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6);

const runs = (scatterMs: number, driftMs: number): readonly (readonly number[])[] =>
  Array.from({ length: 400 }, () =>
    Array.from({ length: points }, (_, n) => 60 + scatterMs * late() + (driftMs * n) / points),
  );

/** From the first to the last. */
const riseOf = (values: readonly number[]): number =>
  Math.abs(lineThrough(values.map((value, n) => [n, value])).slope * points);

it('a fit finds no drift in the noise of a busy machine', () => {
  const told = runs(80, 0).filter((values) => riseOf(values) > riseByChance(values));
  expect(told.length / 400).toBeLessThan(0.12);
});

it('a fit detects a drift of 30 ms in at least 95 % of runs on a calm machine', () => {
  const told = runs(5, 30).filter((values) => riseOf(values) > Math.max(20, riseByChance(values)));
  expect(told.length / 400).toBeGreaterThan(0.95);
});
