import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSentence, isRoot, makeTree, put, read, runScript, startInBrowser } from './tree.ts';
import type { Tree } from './tree.ts';

const countBuilds = (tree: Tree): number => read(tree, 'builds').length;

describe('the build', () => {
  it('runs again when a source is changed, added or deleted, but not when it is only touched', async () => {
    const tree = makeTree();
    await startInBrowser(tree);
    await startInBrowser(tree);
    expect(countBuilds(tree)).toBe(1);

    utimesSync(join(tree.root, 'electron/main.ts'), new Date(), new Date());
    put(tree, 'docs/notes.md', 'not a source');
    await startInBrowser(tree);
    expect(countBuilds(tree)).toBe(1);

    put(tree, 'electron/main.ts', 'export const one = 2;\n');
    expect((await startInBrowser(tree)).stderr).toBe('Building Parley…\n');
    expect(countBuilds(tree)).toBe(2);

    put(tree, 'shared/new.ts', '');
    await startInBrowser(tree);
    expect(countBuilds(tree)).toBe(3);
    rmSync(join(tree.root, 'shared/new.ts'));
    await startInBrowser(tree);
    expect(countBuilds(tree)).toBe(4);
  });

  it('runs again when an output is missing', async () => {
    const tree = makeTree();
    await startInBrowser(tree);
    rmSync(join(tree.root, 'out/preload'), { recursive: true });
    await startInBrowser(tree);
    expect(countBuilds(tree)).toBe(2);
  });

  it("shows the tool's error lines and one sentence, and runs again at the next start", async () => {
    const tree = makeTree();
    const ended = await startInBrowser(tree, { STUB_BUILD: 'fail' });
    expect(ended.stderr).toContain('Error: electron/main.ts:1:7 Unexpected token\n');
    expectSentence(ended, 1, 'Parley could not be built: fix the errors above and start it again.');
    expect((await startInBrowser(tree)).code).toBe(0);
  });

  it('says which user to start as when the folder is not writable', async (ctx) => {
    if (!isRoot) ctx.skip('needs root, to run as another user');
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

  it('fails when an output is missing afterwards', async () => {
    expectSentence(
      await startInBrowser(makeTree(), { STUB_BUILD: 'short' }),
      1,
      'The build ended without out/main/cli.js: check electron.vite.config.ts and start again.',
    );
  });
});
