/** Random numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * How many random cases to run: `count` in `npm run test:all`, a third of it in `npm test`, and a tenth in `npm run check`,
 * which sets PARLEY_QUICK.
 */
export function randomRuns(count: number): number {
  if (process.env['PARLEY_QUICK'] === 'yes') return Math.ceil(count / 10);
  return process.env['PARLEY_TEST_TIER'] === 'default' ? Math.ceil(count / 3) : count;
}
