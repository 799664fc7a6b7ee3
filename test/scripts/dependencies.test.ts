import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSentence, makeTree, put, read, runScript, startInBrowser } from './tree.ts';
import type { Tree } from './tree.ts';

const STAMP = 'node_modules/.parley-install';
const has = (tree: Tree, file: string): boolean => existsSync(join(tree.root, file));
const installs = (tree: Tree): number => read(tree, 'npm-calls').trim().split('\n').length;

const started = async (): Promise<Tree> => {
  const tree = makeTree();
  const ended = await startInBrowser(tree);
  expect(ended.stderr).toBe('Installing dependencies (first start only)…\nBuilding Parley…\n');
  expect(ended.code).toBe(0);
  return tree;
};

describe('node_modules', () => {
  it('is installed once and left alone after that', async () => {
    const tree = await started();
    expect(await startInBrowser(tree)).toMatchObject({ code: 0, stderr: '' });
    expect(read(tree, 'npm-calls')).toMatch(/^ci --include=dev --no-audit --no-fund [^\n]*\n$/);
  });

  it('is mended when a package has been lost', async () => {
    const tree = await started();
    rmSync(join(tree.root, 'node_modules/demo'), { recursive: true });
    const ended = await startInBrowser(tree);
    expect(ended.stderr).toBe('Installing dependencies (node_modules is damaged: demo missing)…\n');
    expect([ended.code, installs(tree), has(tree, 'node_modules/demo')]).toEqual([0, 2, true]);
  });

  it('is mended when a package or the whole is a file', async () => {
    const tree = await started();
    rmSync(join(tree.root, 'node_modules/demo'), { recursive: true });
    put(tree, 'node_modules/demo', 'not a folder');
    expect((await startInBrowser(tree)).stderr).toContain('node_modules is damaged: demo missing');
    rmSync(join(tree.root, 'node_modules'), { recursive: true });
    put(tree, 'node_modules', 'not a folder');
    const ended = await startInBrowser(tree);
    expect(ended.stderr).toContain('node_modules is a file, not a folder');
    expect([ended.code, has(tree, STAMP)]).toEqual([0, true]);
  });

  it('is installed anew without its audio binding or after a change of the lock', async () => {
    const tree = await started();
    rmSync(join(tree.root, 'node_modules/naudiodon/build'), { recursive: true });
    expect((await startInBrowser(tree)).stderr).toContain('the compiled audio binding missing');
    put(tree, 'package-lock.json', `${read(tree, 'package-lock.json')}\n`);
    expect((await startInBrowser(tree)).stderr).toContain('what Parley needs has changed');
    expect(installs(tree)).toBe(3);
  });

  it('is installed anew when the audio binding was cut short, since loading that would crash', async () => {
    const tree = await started();
    put(tree, 'node_modules/naudiodon/build/Release/naudiodon.node', 'bind');
    expect((await startInBrowser(tree)).stderr).toContain('the compiled audio binding is damaged');
  });

  it("is taken over from a person's own npm ci", async () => {
    const tree = await started();
    rmSync(join(tree.root, STAMP));
    expect(await startInBrowser(tree)).toMatchObject({ code: 0, stderr: '' });
    expect([installs(tree), has(tree, STAMP)]).toEqual([1, true]);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('is never trusted after %s', async (signal) => {
    const tree = await started();
    rmSync(join(tree.root, 'node_modules/demo'), { recursive: true });
    const script = runScript(tree, 'start.mjs', ['--browser'], {
      env: { STUB_NPM: 'hang' },
      onOutput: (_text, kill) => {
        const waiting = setInterval(() => {
          if (!has(tree, 'npm-pid')) return;
          clearInterval(waiting);
          kill(signal);
          // A killed parent cannot end its npm: here its real death is played by us.
          if (signal === 'SIGKILL') process.kill(Number(read(tree, 'npm-pid')), 'SIGKILL');
        }, 20);
      },
    });
    const ended = await script;
    if (signal === 'SIGTERM') expectSentence(ended, 143, 'Interrupted.');
    expect(has(tree, STAMP)).toBe(false);
    expect((await startInBrowser(tree)).stderr).toContain('an earlier installation did not finish');
    expect(has(tree, STAMP)).toBe(true);
  });
});

describe('npm', () => {
  it.each([
    [
      'fail',
      /^The dependencies could not be installed, The moon is in the way: delete node_modules and start Parley again \(npm's full output is in (\S+)\)\.$/,
    ],
    [
      'offline',
      /^The dependencies could not be installed, the package registry could not be reached: check the connection and start Parley again \(npm's full output is in (\S+)\)\.$/,
    ],
  ])('is quoted in one sentence when it does %s', async (how, sentence) => {
    const tree = makeTree();
    const ended = await startInBrowser(tree, { STUB_NPM: how });
    expectSentence(ended, 1, sentence);
    const log = sentence.exec(ended.stderr.trim().split('\n').at(-1) ?? '')?.[1] ?? '';
    expect(existsSync(log)).toBe(true);
    expect(has(tree, STAMP)).toBe(false);
  });

  it('is not believed when it leaves something out', async () => {
    const tree = makeTree();
    expectSentence(
      await startInBrowser(tree, { STUB_NPM: 'no-binding' }),
      1,
      'npm installed the dependencies, but the compiled audio binding is missing: delete node_modules and start Parley again.',
    );
    expect(has(tree, STAMP)).toBe(false);
  });

  it('is missed by name', async () => {
    expectSentence(
      await startInBrowser(makeTree(), { npm_execpath: '' }),
      1,
      'npm was not found: install Node.js together with npm and start Parley again.',
    );
  });

  it('keeps a nodedir that was set', async () => {
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
