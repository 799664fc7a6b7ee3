/** How many random cases to run: all in `npm test`, a tenth in `npm run check`, which sets PARLEY_QUICK. */
export function randomRuns(all: number): number {
  return process.env['PARLEY_QUICK'] === 'yes' ? Math.ceil(all / 10) : all;
}
