import { describe, expect, it } from 'vitest';
import { judgeSmallTree } from './copy-tree.ts';

const tree = {
  'shared/wire.ts': 'export const wire = 1;\n',
  'test/unit/wire.test.ts': "it('carries what it is given', () => {});\n",
};

const table = (...rows: readonly string[]) =>
  ['| id | statement | where | shown by |', '| - | - | - | - |', ...rows, ''].join('\n');
const first = '| O1 | It carries. | `wire.ts` | `wire.test.ts` “carries what it is given” |';

async function judge(
  page: string,
  counted = '1 statements: 1 done, 0 partly, 0 missing, 0 contradicting',
) {
  const { output, passed } = await judgeSmallTree('conformance.mjs', {
    ...tree,
    'docs/conformance.md': `${counted}.\n\n${page}`,
  });
  return { passed, problems: output.split('\n').slice(1) };
}

describe('the conformance table', () => {
  it('passes if everything exists, and counts statements that are not done', async () => {
    expect(await judge(table(first))).toEqual({ passed: true, problems: [] });
    const rest = [
      '| O2 | It is as that. | as O1 | |',
      '| C1 | It sings. | | missing: nobody asked |',
    ];
    const counted = '3 statements: 2 done, 0 partly, 1 missing, 0 contradicting';
    expect(await judge(table(first, ...rest), counted)).toEqual({ passed: true, problems: [] });
  });

  it('counts each statement of a range of rows', async () => {
    const second = first.replace('O1', 'O2');
    const range = '| C1–C2 | the same, in chat | as O1–O2 | |';
    const counted = '4 statements: 4 done, 0 partly, 0 missing, 0 contradicting';
    expect(await judge(table(first, second, range), counted)).toEqual({
      passed: true,
      problems: [],
    });
  });

  it.each([
    [
      'a missing file',
      first.replace('`wire.ts`', '`gone.ts`'),
      'O1 names gone.ts, which is missing or ambiguous.',
    ],
    [
      'a test with another title',
      first.replace('given”', 'told”'),
      'O1: wire.test.ts has no “carries what it is told”.',
    ],
    [
      'a missing test file',
      first.replace('wire.test.ts', 'gone.test.ts'),
      'O1 names gone.test.ts, which is missing or ambiguous.',
    ],
    [
      'a statement without a test',
      '| O1 | It carries. | `wire.ts` | |',
      'O1 is marked done, but names no file or no test.',
    ],
    ['a gap in the numbers', first.replace('O1', 'O2'), 'O2 does not follow the one before.'],
    [
      'a reference to a missing statement',
      '| O1 | It is as that. | as C7 | |',
      'O1 refers to C7, which does not exist.',
    ],
  ])('fails with %s', async (_what, row, message) => {
    const { passed, problems } = await judge(table(row));
    expect(passed).toBe(false);
    expect(problems).toContain(message);
  });

  it('fails if its totals are wrong or it is empty', async () => {
    const partly = first.replace(/\|$/, ' partly: only loudly |');
    expect((await judge(table(partly))).problems).toEqual([
      'The page does not say: 1 statements: 0 done, 1 partly, 0 missing, 0 contradicting.',
    ]);
    expect((await judge('')).problems).toContain('The page has no statements.');
  });
});
