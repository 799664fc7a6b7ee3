import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noGraphicsCardOptions, networkServiceFlags } from '../../scripts/lib/electron-flags.mjs';
import { expectSentence, isRoot, makeTree, put, runScript } from './tree.ts';
import type { ScriptOptions, Tree } from './tree.ts';

const isLinux = process.platform === 'linux';

/** A display socket that accepts connections, which is enough for a stub Electron. */
const openScreen = (tree: Tree): Promise<NodeJS.ProcessEnv> =>
  new Promise((resolve) => {
    const socket = join(tree.root, 'wayland-0');
    const server = createServer();
    server.listen({ path: socket, writableAll: true, readableAll: true }, () =>
      resolve({ WAYLAND_DISPLAY: socket }),
    );
    onTestFinished(() => void server.close());
  });

const printAndExit5 =
  'echo "DESKTOP $@ [$ELECTRON_RUN_AS_NODE$GDK_GL]"\necho "Parley is open."\nexit 5\n';

const stubElectron = (tree: Tree, behaviour = printAndExit5): NodeJS.ProcessEnv => {
  put(tree, 'runtime/version', '33.0.0');
  put(tree, 'runtime/electron', `#!/bin/sh\n${behaviour}`, 0o755);
  return { ELECTRON_OVERRIDE_DIST_PATH: join(tree.root, 'runtime') };
};

const fallbackMessage = (reason: string): RegExp =>
  new RegExp(`^Opening in the browser instead of a window: ${reason}`, 'm');

const asUser = (env: NodeJS.ProcessEnv): ScriptOptions => ({ env, ordinaryUser: true });

describe.runIf(isLinux)('the host that npm start opens', () => {
  it('is the window for an ordinary user with a screen and a runtime', async () => {
    const tree = makeTree();
    const env = { ...(await openScreen(tree)), ...stubElectron(tree), ELECTRON_RUN_AS_NODE: '1' };
    const card = noGraphicsCardOptions();
    const flags = ['--ozone-platform=wayland', ...card.flags, ...networkServiceFlags()].join(' ');
    // ELECTRON_RUN_AS_NODE does not affect the Node that runs the script.
    const ended = await runScript(tree, 'start.mjs', [], asUser(env));
    expect(ended.stdout).toBe(
      `DESKTOP ${tree.root} ${flags} [${card.env['GDK_GL'] ?? ''}]\nParley is open.\n`,
    );
    expect(ended.code).toBe(5);
  });

  it('is the browser when Electron dies before its window shows', async () => {
    const tree = makeTree();
    const env = { ...(await openScreen(tree)), ...stubElectron(tree, 'exit 139\n') };
    const ended = await runScript(tree, 'start.mjs', [], asUser(env));
    expect(ended.stdout).toContain('BROWSER');
    expect(ended.stderr).toMatch(
      fallbackMessage('Electron ended before its window showed \\(exit 139\\)'),
    );
    const forced = await runScript(tree, 'start.mjs', ['--desktop'], asUser(env));
    expectSentence(
      forced,
      1,
      "Parley's window cannot be opened: Electron ended before its window showed (exit 139).",
    );
  });

  it('is the browser without a display', async () => {
    const ended = await runScript(makeTree(), 'start.mjs', ['--port', '0']);
    expectSentence(ended, 0, fallbackMessage('there is no display \\(neither DISPLAY nor'));
    expect(ended.stdout).toBe('BROWSER --port 0\n');
  });

  it('is the browser for root, unless --no-sandbox is passed', async (ctx) => {
    if (!isRoot) ctx.skip('needs root');
    const tree = makeTree();
    const env = { ...(await openScreen(tree)), ...stubElectron(tree) };
    const ended = await runScript(tree, 'start.mjs', [], { env });
    expectSentence(
      ended,
      0,
      fallbackMessage("Electron's sandbox cannot work as root: run as an ordinary"),
    );
    const withoutSandbox = await runScript(tree, 'start.mjs', ['--no-sandbox'], { env });
    expect(withoutSandbox.stdout).toContain(`DESKTOP ${tree.root} --no-sandbox`);
  });
});

describe.runIf(isLinux)('--desktop without a usable desktop', () => {
  it('fails before anything is installed when there is no display', async () => {
    const ended = await runScript(makeTree(), 'start.mjs', ['--desktop']);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expectSentence(
      ended,
      1,
      "Parley's window cannot be opened: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set).",
    );
  });
});

it('the opened host gets SIGINT and passes its exit code on', async () => {
  const failed = { env: { STUB_HOST: '4' } };
  const ended = await runScript(makeTree(), 'start.mjs', ['--browser'], failed);
  expect([ended.code, ended.stdout]).toEqual([4, 'BROWSER \n']);
  const interrupted = await runScript(makeTree(), 'start.mjs', ['--browser'], {
    env: { STUB_HOST: 'stay' },
    onOutput: (text, kill) => {
      if (text.includes('BROWSER')) kill('SIGINT');
    },
  });
  expect([interrupted.code, interrupted.signal]).toEqual([130, null]);
});
