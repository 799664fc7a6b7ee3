import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSentence, makeTree, put, read, runScript, startInBrowser } from './tree.ts';
import type { Tree } from './tree.ts';

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
    const ended = await startInBrowser(tree);
    expect(ended.stderr).toBe('Installing dependencies (node_modules is damaged: demo missing)…\n');
    expect([ended.code, countInstalls(tree), hasFile(tree, 'node_modules/demo')]).toEqual([
      0,
      2,
      true,
    ]);
  });

  it('is repaired when a package or node_modules itself is a file', async () => {
    const tree = await startOnce();
    rmSync(join(tree.root, 'node_modules/demo'), { recursive: true });
    put(tree, 'node_modules/demo', 'not a folder');
    expect((await startInBrowser(tree)).stderr).toContain('node_modules is damaged: demo missing');
    rmSync(join(tree.root, 'node_modules'), { recursive: true });
    put(tree, 'node_modules', 'not a folder');
    const ended = await startInBrowser(tree);
    expect(ended.stderr).toContain('node_modules is a file, not a folder');
    expect([ended.code, hasFile(tree, stampFile)]).toEqual([0, true]);
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

  it('is reinstalled when the audio binding is truncated', async () => {
    const tree = await startOnce();
    put(tree, 'node_modules/naudiodon/build/Release/naudiodon.node', 'bind');
    expect((await startInBrowser(tree)).stderr).toContain('the compiled audio binding is damaged');
  });

  it("is accepted after the user's own npm ci", async () => {
    const tree = await startOnce();
    rmSync(join(tree.root, stampFile));
    expect(await startInBrowser(tree)).toMatchObject({ code: 0, stderr: '' });
    expect([countInstalls(tree), hasFile(tree, stampFile)]).toEqual([1, true]);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'is reinstalled after %s interrupted an installation',
    async (signal) => {
      const tree = await startOnce();
      rmSync(join(tree.root, 'node_modules/demo'), { recursive: true });
      let waiting: NodeJS.Timeout | undefined;
      const script = runScript(tree, 'start.mjs', ['--browser'], {
        env: { STUB_NPM: 'hang' },
        onOutput: (_text, kill) => {
          // A second signal would end the script before it has said a sentence.
          waiting ??= setInterval(() => {
            const npm = hasFile(tree, 'npm-pid') ? Number(read(tree, 'npm-pid')) : 0;
            if (npm === 0) return;
            clearInterval(waiting);
            kill(signal);
            // A killed parent cannot end its npm, so the test kills npm too.
            if (signal === 'SIGKILL') process.kill(npm, 'SIGKILL');
          }, 20);
        },
      });
      const ended = await script;
      if (signal === 'SIGTERM') expectSentence(ended, 143, 'Interrupted.');
      expect(hasFile(tree, stampFile)).toBe(false);
      expect((await startInBrowser(tree)).stderr).toContain(
        'an earlier installation did not finish',
      );
      expect(hasFile(tree, stampFile)).toBe(true);
    },
  );
});

describe('npm', () => {
  it.each([
    [
      'fail',
      /^The dependencies could not be installed: The moon is in the way\. Delete node_modules and start Parley again \(npm's full output is in (\S+)\)\.$/,
    ],
    [
      'offline',
      /^The dependencies could not be installed: the package registry could not be reached\. Check the connection and start Parley again \(npm's full output is in (\S+)\)\.$/,
    ],
  ])('has its error quoted in one sentence (%s)', async (how, sentence) => {
    const tree = makeTree();
    const ended = await startInBrowser(tree, { STUB_NPM: how });
    expectSentence(ended, 1, sentence);
    const log = sentence.exec(ended.stderr.trim().split('\n').at(-1) ?? '')?.[1] ?? '';
    expect(existsSync(log)).toBe(true);
    expect(hasFile(tree, stampFile)).toBe(false);
  });

  it('fails the start when it leaves out the audio binding', async () => {
    const tree = makeTree();
    expectSentence(
      await startInBrowser(tree, { STUB_NPM: 'no-binding' }),
      1,
      'npm installed the dependencies, but the compiled audio binding is missing: delete node_modules and start Parley again.',
    );
    expect(hasFile(tree, stampFile)).toBe(false);
  });

  it('is named when it is missing', async () => {
    expectSentence(
      await startInBrowser(makeTree(), { npm_execpath: '' }),
      1,
      'npm was not found: install Node.js together with npm and start Parley again.',
    );
  });

  it('keeps a nodedir that the user has set', async () => {
    const tree = makeTree();
    await startInBrowser(tree, { npm_config_nodedir: '/elsewhere' });
    expect(read(tree, 'npm-calls')).toContain('nodedir=/elsewhere\n');
  });

  it('needs a lock file', async () => {
    const tree = makeTree();
    rmSync(join(tree.root, 'package-lock.json'));
    expectSentence(
      await startInBrowser(tree),
      1,
      'package.json or package-lock.json is missing or damaged: restore both from the repository.',
    );
  });
});
