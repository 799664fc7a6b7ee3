import { describe, expect, it } from 'vitest';
import { addUp, emptyTally, honest, tallyOfPlaywright } from '../../scripts/lib/tally.mjs';

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
    });
  });

  it('counts nested suites, a flaky or unknown result as a failure, and keeps why one was skipped', () => {
    const report = {
      suites: [{ specs: [spec('expected')], suites: [{ specs: [spec('unexpected')] }] }],
      specs: [
        spec('flaky'),
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
    });
  });

  it('lets no runner that crashed look green', () => {
    expect(honest({ ...emptyTally, passed: 5 }, 1)).toMatchObject({ passed: 5, failed: 1 });
    expect(honest({ ...emptyTally, failed: 2 }, 1)).toMatchObject({ failed: 2 });
    expect(honest({ ...emptyTally, passed: 5 }, 0)).toMatchObject({ failed: 0 });
  });
});
