import { describe, expect, it } from 'vitest';
import {
  addUp,
  emptyTally,
  honest,
  succeeded,
  tallyOfPlaywright,
} from '../../scripts/lib/tally.mjs';

const spec = (status: string, annotations: { type: string; description?: string }[] = []) => ({
  title: 'a test',
  tests: [{ status, projectName: 'desktop', annotations }],
});

describe('the tally', () => {
  it('adds up what several runners counted', () => {
    const skipped = [{ name: 'a', reason: 'b' }];
    expect(
      addUp([
        { passed: 1, failed: 2, skipped },
        { ...emptyTally, passed: 3 },
      ]),
    ).toEqual({
      passed: 4,
      failed: 2,
      skipped,
      unsteady: [],
    });
  });

  it('counts nested suites, an unknown result as a failure, and keeps why one was skipped', () => {
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
      failed: 2,
      skipped: [
        { name: 'desktop: a test', reason: 'no camera' },
        { name: 'desktop: a test', reason: 'no reason given' },
      ],
      unsteady: [],
    });
  });

  it('names what passed only when it was tried again', () => {
    const report = { suites: [{ specs: [spec('flaky')] }], specs: [spec('expected')] };
    expect(tallyOfPlaywright(report)).toEqual({
      ...emptyTally,
      passed: 2,
      unsteady: ['desktop: a test'],
    });
  });

  it('takes three of those for the machine, more for a fault', () => {
    const tally = { ...emptyTally, passed: 300 };
    expect(succeeded({ ...tally, unsteady: ['a', 'b', 'c'] })).toBe(true);
    expect(succeeded({ ...tally, unsteady: ['a', 'b', 'c', 'd'] })).toBe(false);
    expect(succeeded({ ...tally, failed: 1 })).toBe(false);
    expect(succeeded(emptyTally)).toBe(false);
  });

  it('lets no runner that crashed look green', () => {
    expect(honest({ ...emptyTally, passed: 5 }, 1)).toMatchObject({ passed: 5, failed: 1 });
    expect(honest({ ...emptyTally, failed: 2 }, 1)).toMatchObject({ failed: 2 });
    expect(honest({ ...emptyTally, passed: 5 }, 0)).toMatchObject({ failed: 0 });
  });
});
