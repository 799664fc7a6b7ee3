import { expect, it } from 'vitest';
import { knownFlaky } from '../../../scripts/lib/tally.mjs';

it('the list of known flaky tests is empty', () => {
  expect(knownFlaky).toEqual([]);
});
