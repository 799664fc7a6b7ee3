import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSentence, isRoot, makeTree, put, read, runScript, startInBrowser } from './tree.ts';
import type { Tree } from './tree.ts';

const builds = (tree: Tree): number => read(tree, 'builds').length;

describe('the build', () => {
  it('is made again when a source changes, and only then', async () => {
    const tree = makeTree();
    await startInBrowser(tree);
    await startInBrowser(tree);
    expect(builds(tree)).toBe(1);

    utimesSync(join(tree.root, 'electron/main.ts'), new Date(), new Date());
    put(tree, 'docs/notes.md', 'of no matter');
    await startInBrowser(tree);
    expect(builds(tree)).toBe(1);

    put(tree, 'electron/main.ts', 'export const one = 2;\n');
    expect((await startInBrowser(tree)).stderr).toBe('Building Parley…\n');
    expect(builds(tree)).toBe(2);

    put(tree, 'shared/new.ts', '');
    await startInBrowser(tree);
    expect(builds(tree)).toBe(3);
    rmSync(join(tree.root, 'shared/new.ts'));
    await startInBrowser(tree);
    expect(builds(tree)).toBe(4);
  });

  it('is made again when an output was lost', async () => {
    const tree = makeTree();
    await startInBrowser(tree);
    rmSync(join(tree.root, 'out/preload'), { recursive: true });
    await startInBrowser(tree);
    expect(builds(tree)).toBe(2);
  });

  it("shows the tool's own error lines and one sentence, and is tried again", async () => {
    const tree = makeTree();
    const ended = await startInBrowser(tree, { STUB_BUILD: 'fail' });
    expect(ended.stderr).toContain('Error: electron/main.ts:1:7 Unexpected token\n');
    expectSentence(
      ended,
      1,
      'Parley could not be built: mend what the lines above name and start it again.',
    );
    expect((await startInBrowser(tree)).code).toBe(0);
  });

  it('says whose folder it is when it may not be written', async (ctx) => {
    if (!isRoot) ctx.skip('needs root, to make a folder that is not ours');
    const tree = makeTree();
    await startInBrowser(tree);
    rmSync(join(tree.root, 'node_modules/.parley-install'));
    put(tree, 'electron/main.ts', 'export const one = 3;\n');
    const ended = await runScript(tree, 'start.mjs', ['--browser'], { uid: 65534 });
    expectSentence(
      ended,
      1,
      `${tree.root}/out/.parley-build may not be written: start Parley as the user who owns this folder.`,
    );
  });

  it('does not take half a build for a whole one', async () => {
    expectSentence(
      await startInBrowser(makeTree(), { STUB_BUILD: 'short' }),
      1,
      'The build ended without out/main/cli.js: check electron.vite.config.ts and start again.',
    );
  });
});
