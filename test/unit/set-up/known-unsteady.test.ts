import { expect, it } from 'vitest';
import { knownUnsteady } from '../../../scripts/lib/tally.mjs';

it('no test is left that is known to need a second try', () => {
  expect(knownUnsteady).toEqual([]);
});
