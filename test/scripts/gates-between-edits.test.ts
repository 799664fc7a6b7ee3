import { describe, expect, it } from 'vitest';
import { gatesBetweenEdits } from '../../scripts/lib/gates.mjs';

const typeGatesFor = (file: string): readonly string[] =>
  gatesBetweenEdits([file])
    .map(({ name }) => name)
    .filter((name) => name.startsWith('types '))
    .toSorted();

describe('between two edits', () => {
  it.each([
    ['renderer/main.tsx', 'types renderer'],
    ['electron/preload.ts', 'types renderer'],
    ['shared/text.ts', 'types pure'],
    ['electron/talk/sessions.ts', 'types pure'],
    ['electron/hosts/terminal/exit-code.ts', 'types node'],
    ['scripts/lib/run.mjs', 'types scripts'],
    ['scripts/after-pack.cjs', 'types scripts'],
  ])('an edit of %s needs %s beside the types of the tests', (file, gate) => {
    expect(typeGatesFor(file)).toEqual([gate, 'types test'].toSorted());
  });

  it('an edited test needs no types but those of the tests', () => {
    expect(typeGatesFor('test/unit/shared/text.test.ts')).toEqual(['types test']);
  });

  it('the linter runs on edited files only', () => {
    const names = gatesBetweenEdits([]).map(({ name }) => name);
    expect(names).not.toContain('lint');
    const lint = gatesBetweenEdits(['shared/text.ts']).find(({ name }) => name === 'lint');
    expect(lint?.command.at(-1)).toBe('shared/text.ts');
  });
});
