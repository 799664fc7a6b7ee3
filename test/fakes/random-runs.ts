/**
 * How many random stories are told: all of them by `npm test`, a tenth by `npm run check`, which somebody
 * waits for. It says so by this name.
 */
export function randomRuns(all: number): number {
  return process.env['PARLEY_QUICK'] === 'yes' ? Math.ceil(all / 10) : all;
}
