/** How many random cases to run: `count` in `npm test`, a tenth of it in `npm run check`, which sets PARLEY_QUICK. */
export function randomRuns(count: number): number {
  return process.env['PARLEY_QUICK'] === 'yes' ? Math.ceil(count / 10) : count;
}
