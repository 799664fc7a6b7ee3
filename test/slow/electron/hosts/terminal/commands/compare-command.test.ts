import { describe, expect, it } from 'vitest';
import { compareCommand } from '../../../../../../electron/hosts/terminal/commands/compare-command.ts';
import { wordOverlap } from '../../../../../../electron/recordings/compare/compare-talks.ts';
import { exampleTape, exportsOf } from '../../../recordings/export/export-harness.ts';

async function run(...args: readonly string[]) {
  let out = '';
  const terminal = { out: (text: string) => void (out += text), err: () => undefined };
  return { code: await compareCommand.run(args, terminal, exportsOf), out: () => out };
}

describe('parley compare', () => {
  it('finds no difference between a tape and itself', async () => {
    const { code, out } = await run(exampleTape('voice'), exampleTape('voice'), '--json');
    const said = JSON.parse(out()) as { one: { latencyMs: { p50: number } } };
    expect(said).toMatchObject({ alike: true, differs: [], sameWords: 1, latencyRatio: 1 });
    expect(said.one.latencyMs.p50).toBeGreaterThan(100);
    expect(said.one.latencyMs.p50).toBeLessThan(6000);
    expect(code).toBe(0);
  });

  it('shows the differences of two tapes and exits with 1', async () => {
    const { code, out } = await run(
      exampleTape('voice'),
      exampleTape('video'),
      '--min-same-words=0.95',
    );
    expect(out()).toMatch(/The tapes differ: .*words/u);
    expect(code).toBe(1);
  });

  it('exits with 2 for a path without a tape', async () => {
    await expect(run(exampleTape('voice'), '/nowhere')).rejects.toMatchObject({ code: 2 });
  });
});

describe('the same words', () => {
  it.each([
    ['', '', 1],
    ['One two three', 'one, TWO three!', 1],
    ['one two', 'three four', 0],
    ['one two three four', 'one three', 2 / 3],
    ['你好吗', '你好', 0.8],
  ])('the word overlap of "%s" and "%s" is %d', (one, other, part) => {
    expect(wordOverlap(one, other)).toBeCloseTo(part, 5);
  });
});
