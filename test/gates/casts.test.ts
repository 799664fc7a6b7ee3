import { describe, expect, it } from 'vitest';
import { judgeSmallTree } from './small-tree.ts';

/** What is said of a test file, but for the exceptions of the real tree, which a small one lacks. */
async function judge(text: string) {
  const imports = "import type { Facts } from '../../shared/facts.ts';\n";
  const { output } = await judgeSmallTree('casts.mjs', {
    'test/unit/planted.test.ts': imports + text,
  });
  return output.split('\n').filter((line) => !line.includes('allowed-casts.mjs'));
}

describe('a cast in a test', () => {
  it.each([
    ['to never', 'feed({} as never);', 'as never'],
    ['to any', 'feed({ kind: 1 } as any);', 'as any'],
    ['through unknown', 'feed(half as unknown as Facts);', 'as unknown as Facts'],
    ['through a part', 'feed({} as Partial<Facts> as Facts);', 'as Partial<Facts> as Facts'],
    ['of half an object', 'feed({ kind: 1 } as Facts);', 'as Facts'],
    ['of a list', 'feed([{ kind: 1 }] as readonly Facts[]);', 'as readonly Facts[]'],
    [
      'to what is made of ours',
      "type Mine = Facts['mine']; feed(half as unknown as Mine);",
      'as unknown as Mine',
    ],
  ])('is caught that goes %s', async (_how, text, cast) => {
    expect(await judge(text)).toEqual([
      `test/unit/planted.test.ts:2: "${cast}" feeds what the product may never make. Make the whole of it, or let the product take less.`,
    ]);
  });

  it.each([
    ['an object of the engine', 'feed({ size: 1 } as unknown as Blob);'],
    ['what came from outside', 'feed(JSON.parse(text) as Facts);'],
    ['a constant', "feed({ kind: 'a' } as const);"],
    ['a part that says so', 'feed({ kind: 1 } as Partial<Facts>);'],
  ])('is let be for %s', async (_what, text) => {
    expect(await judge(text)).toEqual([]);
  });

  it('may not outlive its exception', async () => {
    const { passed, output } = await judgeSmallTree('casts.mjs', {});
    expect(passed).toBe(false);
    expect(output).toMatch(
      /^scripts\/lib\/allowed-casts\.mjs: test\/\S+ has no "as .*" any more\./,
    );
  });
});
