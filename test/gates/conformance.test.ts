import { describe, expect, it } from 'vitest';
import { judgeSmallTree } from './small-tree.ts';

const house = {
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
    ...house,
    'docs/conformance.md': `${counted}.\n\n${page}`,
  });
  return { passed, wrong: output.split('\n').slice(1) };
}

describe('the table of what the documents say', () => {
  it('is let be where everything is there, and counts what is not done', async () => {
    expect(await judge(table(first))).toEqual({ passed: true, wrong: [] });
    const rest = [
      '| O2 | It is as that. | as O1 | |',
      '| C1 | It sings. | | missing: nobody asked |',
    ];
    const counted = '3 statements: 2 done, 0 partly, 1 missing, 0 contradicting';
    expect(await judge(table(first, ...rest), counted)).toEqual({ passed: true, wrong: [] });
  });

  it('counts each statement of a range of rows', async () => {
    const second = first.replace('O1', 'O2');
    const range = '| C1–C2 | the same, in chat | as O1–O2 | |';
    const counted = '4 statements: 4 done, 0 partly, 0 missing, 0 contradicting';
    expect(await judge(table(first, second, range), counted)).toEqual({ passed: true, wrong: [] });
  });

  it.each([
    [
      'a file that went',
      first.replace('`wire.ts`', '`gone.ts`'),
      'O1 names gone.ts, which is no one file here.',
    ],
    [
      'a test that is called otherwise',
      first.replace('given”', 'told”'),
      'O1: wire.test.ts has no “carries what it is told”.',
    ],
    [
      'a test file that went',
      first.replace('wire.test.ts', 'gone.test.ts'),
      'O1 names gone.test.ts, which is no one file here.',
    ],
    [
      'what is shown by nothing',
      '| O1 | It carries. | `wire.ts` | |',
      'O1 is said to be done, and names no file or no test.',
    ],
    ['a gap', first.replace('O1', 'O2'), 'O2 does not follow the one before.'],
    [
      'a likeness to nothing',
      '| O1 | It is as that. | as C7 | |',
      'O1 is as C7, which there is not.',
    ],
  ])('is caught with %s', async (_what, row, said) => {
    const { passed, wrong } = await judge(table(row));
    expect(passed).toBe(false);
    expect(wrong).toContain(said);
  });

  it('is caught where it counts otherwise than it says, or is empty', async () => {
    const partly = first.replace(/\|$/, ' partly: only loudly |');
    expect((await judge(table(partly))).wrong).toEqual([
      'The page does not say: 1 statements: 0 done, 1 partly, 0 missing, 0 contradicting.',
    ]);
    expect((await judge('')).wrong).toContain('There is no statement.');
  });
});
