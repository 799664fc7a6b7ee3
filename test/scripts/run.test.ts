import { constants, getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';

const tellPriority = ['-p', 'setTimeout(() => console.log(os.getPriority()), 100) && ""'];

it('lets what stands aside work at a lower priority than what does not', async () => {
  const priority = async (aside: boolean): Promise<number> =>
    Number((await run(process.execPath, tellPriority, { aside })).output.trim());
  const usual = getPriority();
  expect(await priority(false)).toBe(usual);
  expect(await priority(true)).toBe(Math.max(usual, constants.priority.PRIORITY_BELOW_NORMAL));
});
