import { constants, getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';
import { progressLine } from '../../scripts/lib/progress.mjs';

const printPriority = ['-p', 'setTimeout(() => console.log(os.getPriority()), 100) && ""'];

it('a child that runs with lowPriority has less than normal priority', async () => {
  const priority = async (lowPriority: boolean): Promise<number> =>
    Number((await run(process.execPath, printPriority, { lowPriority })).output.trim());
  const normal = getPriority();
  expect(await priority(false)).toBe(normal);
  expect(await priority(true)).toBe(Math.max(normal, constants.priority.PRIORITY_BELOW_NORMAL));
});

it('a progress line has no estimate before a tenth is done and at the end', () => {
  expect(progressLine('window', 9, 100, 1000)).toBe('window: 9 of 100');
  expect(progressLine('window', 100, 100, 60_000)).toBe('window: 100 of 100');
});

it('a progress line estimates the time left from the speed so far', () => {
  expect(progressLine('window', 25, 100, 60_000)).toBe('window: 25 of 100, about 3 minutes left');
  expect(progressLine('window', 99, 100, 60_000)).toBe('window: 99 of 100, about 1 minute left');
});
