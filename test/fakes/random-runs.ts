/**
 * How many random stories are told: all of them by `npm test`, a quarter by `npm run check`, which somebody
 * waits for. It says so by this name.
 */
export function randomRuns(all: number): number {
  return process.env['PARLEY_QUICK'] === 'yes' ? Math.ceil(all / 4) : all;
}
