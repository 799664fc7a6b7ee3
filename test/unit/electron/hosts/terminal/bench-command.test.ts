import { describe, expect, it } from 'vitest';
import { machineVerdict } from '../../../../../electron/hosts/terminal/commands/bench-command.ts';

describe('parley bench', () => {
  it('explains a core share in words', () => {
    const said = [0.06, 0.25, 0.4, 0.6, 0.8, 0.9, 0.91, 3].map((share) => machineVerdict(share));
    expect(said.map(({ enough }) => enough)).toEqual([
      ...Array<boolean>(6).fill(true),
      ...Array<boolean>(2).fill(false),
    ]);
    expect(new Set(said.map(({ sentence }) => sentence)).size).toBe(4);
  });
});
