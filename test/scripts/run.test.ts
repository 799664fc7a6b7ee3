import { constants, getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';

const printPriority = ['-p', 'setTimeout(() => console.log(os.getPriority()), 100) && ""'];

it('runs a child with lowPriority below normal priority', async () => {
  const priority = async (lowPriority: boolean): Promise<number> =>
    Number((await run(process.execPath, printPriority, { lowPriority })).output.trim());
  const normal = getPriority();
  expect(await priority(false)).toBe(normal);
  expect(await priority(true)).toBe(Math.max(normal, constants.priority.PRIORITY_BELOW_NORMAL));
});
