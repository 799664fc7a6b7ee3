import { describe, expect, it } from 'vitest';
import { houseFaults } from '../../gates/house-faults.ts';

describe('faults that change a real file', () => {
  // The slow run plants them; a line that was renamed is better found between two edits.
  it('find the lines that they change', () => {
    expect(houseFaults.map(({ code }) => code)).not.toContain('');
  });
});
