import { missingSoundServer } from '../../contract/sound/sound-server.ts';
import { tortureWindow } from '../../torture/run-window-torture.ts';
import { windowFaults } from '../../torture/window-faults.ts';
import { expect, test } from '../fixtures/host-test.ts';

/** The number of kills; `npm run torture -- --window --kills 54` sets 54. */
const kills = Number(process.env['PARLEY_TORTURE_KILLS'] ?? windowFaults.length);

test(`${kills} processes killed during a video talk do not end the talk`, async () => {
  test.setTimeout(240_000 + kills * 30_000);
  const missing = await missingSoundServer();
  test.skip(missing !== undefined, missing);
  const seed = Math.floor(Math.random() * 1_000_000);
  const report = (line: string): void => {
    test.info().annotations.push({ type: 'measured', description: line });
  };
  const { faults, checks, wrong } = await tortureWindow({ seed, kills, report });
  expect(wrong).toEqual([]);
  expect(faults).toBe(kills);
  expect(checks).toBeGreaterThan(0);
});
