import { missingSoundServer } from '../../contract/sound/sound-server.ts';
import { runSoak } from '../../soak/run-soak.ts';
import { tortureWindow } from '../../torture/run-window-torture.ts';
import { windowFaults } from '../../torture/tortured-window.ts';
import { expect, test } from '../fixtures/host-test.ts';

/** The minutes of the talk; `npm run soak -- --minutes 60` sets 60. */
const minutes = Number(process.env['PARLEY_SOAK_MINUTES'] ?? 3);

test(`${minutes} minutes of a video talk with hand-overs and reconnects lose no sound and leak nothing`, async () => {
  test.setTimeout(120_000 + 1.5 * minutes * 60_000);
  const missing = await missingSoundServer();
  test.skip(missing !== undefined, missing);
  const printed: string[] = [];
  const findings = await runSoak({ minutes, say: (line) => void printed.push(line) });
  const lines = findings.map(({ what, limit, found }) => `${what} (${limit}): ${found}`);
  for (const line of lines) test.info().annotations.push({ type: 'measured', description: line });
  const [machine] = findings;
  test.skip(machine?.met === false, `The machine had no time for sound: ${machine?.found}.`);
  expect(findings.filter(({ met }) => !met).map(({ what, found }) => `${what}: ${found}`)).toEqual(
    [],
  );
});

/** The number of kills; `npm run torture -- --window --kills 54` sets 54. */
const kills = Number(process.env['PARLEY_TORTURE_KILLS'] ?? windowFaults.length);

test(`${kills} kills and cuts during a video talk do not end it, unless the whole app is killed`, async () => {
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
