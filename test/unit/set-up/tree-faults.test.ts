import { describe, expect, it } from 'vitest';
import { treeFaults } from '../../gates/tree-faults.ts';

describe('faults that change a real file', () => {
  // The slow run plants them. This test finds a renamed line sooner.
  it('find the lines that they change', () => {
    expect(treeFaults.map(({ code }) => code)).not.toContain('');
  });
});
