import { describe, expect, it } from 'vitest';
import {
  addUp,
  emptyTally,
  faultsToMend,
  honest,
  succeeded,
  tallyOfPlaywright,
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
  it('adds up what several runners counted', () => {
    const skipped = [{ name: 'a', reason: 'b' }];
    const [quick, slow] = [
      { name: 'a', seconds: 1 },
      { name: 'b', seconds: 2 },
    ];
    expect(
      addUp([
        { ...emptyTally, passed: 1, failed: [broken], skipped, slowest: [quick] },
        { ...emptyTally, passed: 3, slowest: [slow] },
      ]),
    ).toEqual({
      passed: 4,
      failed: [broken],
      skipped,
      unsteady: [],
      slowest: [slow, quick],
    });
  });

  it('counts nested suites, an unknown result as a failure, and keeps why one failed or was skipped', () => {
    const report = {
      suites: [{ specs: [spec('expected')], suites: [{ specs: [spec('unexpected')] }] }],
      specs: [
        spec('interrupted'),
        spec('skipped', [{ type: 'skip', description: 'no camera' }]),
        spec('skipped'),
      ],
    };
    expect(tallyOfPlaywright(report)).toEqual({
      passed: 1,
      failed: [broken, broken],
      skipped: [
        { name: 'desktop: a test', reason: 'no camera' },
        { name: 'desktop: a test', reason: 'no reason given' },
      ],
      unsteady: [],
      slowest: [timed],
    });
  });

  it('counts an error outside of any test as a failure, with its reason', () => {
    const report = { specs: [spec('expected')], errors: [{ message: 'the worker did not end' }] };
    expect(tallyOfPlaywright(report).failed).toEqual([
      { name: 'outside of any test', reason: 'the worker did not end' },
    ]);
  });

  it('names what passed only when it was tried again', () => {
    const report = { suites: [{ specs: [spec('flaky')] }], specs: [spec('expected')] };
    expect(tallyOfPlaywright(report)).toEqual({
      ...emptyTally,
      passed: 2,
      unsteady: [broken],
      slowest: [timed, timed],
    });
  });

  it('calls each of those a fault to be mended, and each that is known, once', () => {
    const again = 'passed only at its second try: it broke';
    const tally = { ...emptyTally, passed: 300, unsteady: [broken] };
    expect(faultsToMend(tally)).toEqual([`FAULT to be mended: ${broken.name}: ${again}`]);
    expect(faultsToMend(tally, [broken.name, 'another'])).toEqual([
      `FAULT to be mended: ${broken.name}: ${again}`,
      'FAULT to be mended: another: known as one that needs a second try',
    ]);
    expect(faultsToMend({ ...emptyTally, passed: 300 })).toEqual([]);
  });

  it('takes four of those for the machine, more for a fault', () => {
    const tally = { ...emptyTally, passed: 300 };
    expect(succeeded({ ...tally, unsteady: Array.from({ length: 4 }, () => broken) })).toBe(true);
    expect(succeeded({ ...tally, unsteady: Array.from({ length: 5 }, () => broken) })).toBe(false);
    expect(succeeded({ ...tally, failed: [broken] })).toBe(false);
    expect(succeeded(emptyTally)).toBe(false);
  });

  it('lets no runner that crashed look green', () => {
    const passed = { ...emptyTally, passed: 5 };
    const crash = { name: 'vitest', reason: 'ended with exit code 1' };
    expect(honest('vitest', passed, 1)).toEqual({ ...passed, failed: [crash] });
    expect(honest('vitest', { ...passed, failed: [broken] }, 1).failed).toEqual([broken]);
    expect(honest('vitest', passed, 0)).toEqual(passed);
  });
});
