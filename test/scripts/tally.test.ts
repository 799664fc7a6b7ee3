import { runSourceGates } from '../../scripts/lib/gates.mjs';
import { nearestTests } from '../../scripts/lib/nearest-tests.mjs';
import { describe, expect, it } from 'vitest';
import {
  emptyTally,
  countCrash,
  succeeded,
  tallyPlaywrightReport,
} from '../../scripts/lib/tally.mjs';

const spec = (status: string, annotations: { type: string; description?: string }[] = []) => ({
  title: 'a test',
  file: 'a.spec.ts',
  line: 7,
  tests: [
    {
      status,
      projectName: 'desktop',
      annotations,
      results: [
        { duration: 500 },
        { duration: 1500, error: { message: '\u001B[31mit broke\u001B[39m\n    at a line' } },
      ],
    },
  ],
});

/** Both tries took two seconds together. */
const timed = { name: 'desktop: a.spec.ts:7: a test', seconds: 2 };
const broken = { name: 'desktop: a.spec.ts:7: a test', reason: 'it broke' };

describe('the tally', () => {
  it('adds up nested suites with the reasons of failures and skips', () => {
    const report = {
      suites: [{ specs: [spec('expected')], suites: [{ specs: [spec('unexpected')] }] }],
      specs: [
        spec('interrupted'),
        spec('skipped', [{ type: 'skip', description: 'no camera' }]),
        spec('skipped'),
      ],
    };
    expect(tallyPlaywrightReport(report)).toEqual({
      passed: 1,
      failed: [broken, broken],
      skipped: [
        { name: 'desktop: a test', reason: 'no camera' },
        { name: 'desktop: a test', reason: 'no reason given' },
      ],
      flaky: [],
      slowest: [timed],
    });
  });

  it('succeeds with up to four flaky tests, and fails with more', () => {
    const tally = { ...emptyTally, passed: 300 };
    expect(succeeded({ ...tally, flaky: Array.from({ length: 4 }, () => broken) })).toBe(true);
    expect(succeeded({ ...tally, flaky: Array.from({ length: 5 }, () => broken) })).toBe(false);
    expect(succeeded({ ...tally, failed: [broken] })).toBe(false);
    expect(succeeded(emptyTally)).toBe(false);
  });

  it('counts a crashed runner as a failure', () => {
    const passed = { ...emptyTally, passed: 5 };
    const crash = { name: 'vitest', reason: 'ended with exit code 1' };
    expect(countCrash('vitest', passed, 1)).toEqual({ ...passed, failed: [crash] });
    expect(countCrash('vitest', { ...passed, failed: [broken] }, 1).failed).toEqual([broken]);
    expect(countCrash('vitest', passed, 0)).toEqual(passed);
  });
});

describe('npm run check', () => {
  it('runs the tests nearest to an edit first, and none for a file that no test imports', () => {
    const [nearest] = nearestTests(['electron/talk/captions/caption-words.ts']);
    expect(nearest).toBe('test/unit/electron/talk/captions/caption-words.test.ts');
    expect(nearestTests(['scripts/soak.mjs'])).toEqual([]);
  });

  it('fails a gate whose script crashes, and still runs the next one', async () => {
    const gate = (script: string) => ({ name: script, script, command: [] });
    const [crashed, passed] = await runSourceGates(
      ['scripts/missing.mjs', 'scripts/hidden-imports.mjs'].map(gate),
    );
    expect(crashed?.passed).toBe(false);
    expect(crashed?.output).toContain('scripts/missing.mjs');
    expect(passed?.passed).toBe(true);
  });
});
