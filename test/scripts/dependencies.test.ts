import { existsSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  expectSentence,
  makeTree,
  put,
  read,
  runScript,
  startInBrowser,
  type Tree,
} from './tree.ts';

const stampFile = 'node_modules/.parley-install';
const hasFile = (tree: Tree, file: string): boolean => existsSync(join(tree.root, file));
const countInstalls = (tree: Tree): number => read(tree, 'npm-calls').trim().split('\n').length;

const startOnce = async (): Promise<Tree> => {
  const tree = makeTree();
  const ended = await startInBrowser(tree);
  expect(ended.stderr).toBe('Installing dependencies (first start only)…\nBuilding Parley…\n');
  expect(ended.code).toBe(0);
  return tree;
};

describe('node_modules', () => {
  it('is installed once and left alone after that', async () => {
    const tree = await startOnce();
    expect(await startInBrowser(tree)).toMatchObject({ code: 0, stderr: '' });
    expect(read(tree, 'npm-calls')).toMatch(/^ci --include=dev --no-audit --no-fund [^\n]*\n$/);
  });

  it('is repaired when a package is missing', async () => {
    const tree = await startOnce();
    rmSync(join(tree.root, 'node_modules/demo'), { recursive: true });
    const { code, stderr } = await startInBrowser(tree);
    expect(code).toBe(0);
    expect(stderr).toBe('Installing dependencies (node_modules is damaged: demo missing)…\n');
    expect([countInstalls(tree), hasFile(tree, 'node_modules/demo')]).toEqual([2, true]);
  });

  it('is not reinstalled through a link, because npm would empty the folder behind it', async () => {
    const tree = await startOnce();
    renameSync(join(tree.root, 'node_modules'), join(tree.root, 'shared-modules'));
    symlinkSync('shared-modules', join(tree.root, 'node_modules'));
    put(tree, 'package-lock.json', `${read(tree, 'package-lock.json')}\n`);
    const ended = await startInBrowser(tree);
    expectSentence(ended, 1, /node_modules is a link, and npm would empty the folder behind it/);
    expect(hasFile(tree, 'shared-modules/demo')).toBe(true);
  });

  it('is reinstalled when the audio binding is missing or the lock file changed', async () => {
    const tree = await startOnce();
    rmSync(join(tree.root, 'node_modules/naudiodon/build'), { recursive: true });
    expect((await startInBrowser(tree)).stderr).toContain('the compiled audio binding missing');
    put(tree, 'package-lock.json', `${read(tree, 'package-lock.json')}\n`);
    expect((await startInBrowser(tree)).stderr).toContain('what Parley needs has changed');
    expect(countInstalls(tree)).toBe(3);
  });

  it('is reinstalled after SIGTERM interrupted an installation', async () => {
    const tree = await startOnce();
    rmSync(join(tree.root, 'node_modules/demo'), { recursive: true });
    let waiting: NodeJS.Timeout | undefined;
    const ended = await runScript(tree, 'start.mjs', ['--browser'], {
      env: { STUB_NPM: 'hang' },
      onOutput: (_text, kill) => {
        // A second signal would end the script before it has said a sentence.
        waiting ??= setInterval(() => {
          if (!hasFile(tree, 'npm-pid') || read(tree, 'npm-pid') === '') return;
          clearInterval(waiting);
          kill('SIGTERM');
        }, 20);
      },
    });
    expectSentence(ended, 143, 'Interrupted.');
    expect(hasFile(tree, stampFile)).toBe(false);
    const next = await startInBrowser(tree);
    expect(next.stderr).toContain('an earlier installation did not finish');
    expect(hasFile(tree, stampFile)).toBe(true);
  });
});

describe('npm', () => {
  it('has its error quoted in one sentence', async () => {
    const sentence =
      /^The dependencies could not be installed: The moon is in the way\. Delete node_modules and start Parley again \(npm's full output is in (\S+)\)\.$/;
    const tree = makeTree();
    const ended = await startInBrowser(tree, { STUB_NPM: 'fail' });
    expectSentence(ended, 1, sentence);
    const log = sentence.exec(ended.stderr.trim().split('\n').at(-1) ?? '')?.[1] ?? '';
    expect([existsSync(log), hasFile(tree, stampFile)]).toEqual([true, false]);
  });
});

const countBuilds = (tree: Tree): number => read(tree, 'builds').length;

describe('the build', () => {
  it('runs again when a source or an output changes, but not when a source is only touched', async () => {
    const tree = makeTree();
    await startInBrowser(tree);
    await startInBrowser(tree);
    expect(countBuilds(tree)).toBe(1);

    utimesSync(join(tree.root, 'electron/main.ts'), new Date(), new Date());
    put(tree, 'docs/notes.md', 'not a source');
    // Emacs marks a file with unsaved changes so.
    symlinkSync('somebody@machine.123', join(tree.root, 'electron/.#main.ts'));
    expect((await startInBrowser(tree)).code).toBe(0);
    expect(countBuilds(tree)).toBe(1);

    put(tree, 'electron/main.ts', 'export const one = 2;\n');
    expect((await startInBrowser(tree)).stderr).toBe('Building Parley…\n');
    expect(countBuilds(tree)).toBe(2);

    put(tree, 'shared/new.ts', '');
    await startInBrowser(tree);
    rmSync(join(tree.root, 'shared/new.ts'));
    await startInBrowser(tree);
    expect(countBuilds(tree)).toBe(4);
    rmSync(join(tree.root, 'out/preload'), { recursive: true });
    await startInBrowser(tree);
    expect(countBuilds(tree)).toBe(5);
  });

  it("shows the tool's error lines and one sentence, and runs again at the next start", async () => {
    const tree = makeTree();
    const ended = await startInBrowser(tree, { STUB_BUILD: 'fail' });
    expect(ended.stderr).toContain('Error: electron/main.ts:1:7 Unexpected token\n');
    expectSentence(ended, 1, 'Parley could not be built: fix the errors above and start it again.');
    expect((await startInBrowser(tree)).code).toBe(0);
  });
});
