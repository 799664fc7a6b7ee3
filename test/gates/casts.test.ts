import { describe, expect, it } from 'vitest';
import { judgeSmallTree } from './copy-tree.ts';

/** Judges one test file, and drops messages about the real tree's exceptions. */
async function judge(text: string) {
  const imports = "import type { Facts } from '../../shared/facts.ts';\n";
  const { output } = await judgeSmallTree('casts.mjs', {
    'test/unit/planted.test.ts': imports + text,
  });
  return output.split('\n').filter((line) => !line.includes('scripts/casts.mjs:'));
}

describe('a cast in a test', () => {
  it.each([
    ['to never', 'feed({} as never);', 'as never'],
    ['to any', 'feed({ kind: 1 } as any);', 'as any'],
    ['through unknown', 'feed(half as unknown as Facts);', 'as unknown as Facts'],
    ['through a part', 'feed({} as Partial<Facts> as Facts);', 'as Partial<Facts> as Facts'],
    ['of an incomplete object', 'feed({ kind: 1 } as Facts);', 'as Facts'],
    ['of a list', 'feed([{ kind: 1 }] as readonly Facts[]);', 'as readonly Facts[]'],
    [
      'to a type derived from a product type',
      "type Mine = Facts['mine']; feed(half as unknown as Mine);",
      'as unknown as Mine',
    ],
  ])('is caught: %s', async (_how, text, cast) => {
    expect(await judge(text)).toEqual([
      `test/unit/planted.test.ts:2: "${cast}" passes a value that the product may never produce. Build the whole value, or let the code take only the members it uses.`,
    ]);
  });

  it.each([
    ['an object of the engine', 'feed({ size: 1 } as unknown as Blob);'],
    ['parsed JSON', 'feed(JSON.parse(text) as Facts);'],
    ['a constant', "feed({ kind: 'a' } as const);"],
    ['an explicit Partial', 'feed({ kind: 1 } as Partial<Facts>);'],
  ])('is allowed for %s', async (_what, text) => {
    expect(await judge(text)).toEqual([]);
  });

  it('must exist for every allowed exception', async () => {
    const { passed, output } = await judgeSmallTree('casts.mjs', {});
    expect(passed).toBe(false);
    expect(output).toMatch(/^scripts\/casts\.mjs: test\/\S+ no longer has "as .*"\./);
  });
});
