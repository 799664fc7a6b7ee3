import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer as createNetServer } from 'node:net';
import { resolveConfig } from 'electron-vite';
import { build, createServer, mergeConfig } from 'vite';
import { forgetBuild } from './build.mjs';
import { inRoot, rootDir } from './root.mjs';
import { plainLines } from './run.mjs';
import { say } from './say.mjs';
import { exitCodeOf, onTermination } from './signals.mjs';
import { Stop } from './stop.mjs';

const settleMs = 150;

/** @returns {Promise<import('vite').ViteDevServer>} serves the renderer with hot module replacement */
const serveRenderer = async () => {
  const { config } = await resolveConfig({ root: rootDir, logLevel: 'warn' }, 'serve');
  const local = { server: { host: '127.0.0.1', strictPort: false } };
  return (await createServer(mergeConfig(config?.renderer ?? {}, local))).listen();
};

/** @returns {Promise<number>} */
const findFreePort = async () => {
  const probe = createNetServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
};

const buildMain = async () => {
  // This development build does not match the stamp of the production build.
  forgetBuild();
  const { config } = await resolveConfig({ root: rootDir, logLevel: 'warn' }, 'build');
  await build(config?.main ?? {});
};

/**
 * Runs the browser host with its renderer from Vite, and restarts the host when its code changes.
 * @param {number} port
 * @returns {Promise<void>} resolves when the host exits or a signal stops it
 */
export const developInBrowser = async (port) => {
  const server = await serveRenderer();
  const address = server.httpServer?.address();
  if (address === null || typeof address !== 'object') {
    throw new Stop("Vite's server gave no address: start again.");
  }
  const rendererUrl = `http://127.0.0.1:${address.port}`;
  // Port and token stay the same across restarts, so that the open page reconnects.
  const token = randomBytes(32).toString('base64url');
  const fixedPort = port === 0 ? await findFreePort() : port;
  const args = [inRoot('out', 'main', 'browser.js'), '--port', String(fixedPort)];

  await new Promise((/** @type {(value: undefined) => void} */ resolve) => {
    let isReplacing = false;
    let isStopping = false;
    const launch = () => {
      const child = spawn(process.execPath, [...args, '--dev-renderer', rendererUrl], {
        cwd: rootDir,
        env: { ...process.env, PARLEY_DEV_TOKEN: token },
        stdio: 'inherit',
      });
      child.once('exit', (code, signal) => {
        if (isReplacing && !isStopping) return;
        process.exitCode = exitCodeOf(code, signal);
        resolve(undefined);
      });
      return child;
    };
    let host = launch();

    const restartHost = async () => {
      try {
        await buildMain();
      } catch (error) {
        const lines = plainLines(error instanceof Error ? error.message : String(error));
        say(`Not rebuilt: ${lines.slice(0, 12).join('\n')}`);
        return;
      }
      if (isStopping) return;
      isReplacing = true;
      host.kill();
      if (host.exitCode === null && host.signalCode === null) await once(host, 'exit');
      if (!isStopping) host = launch();
      isReplacing = false;
    };

    let work = Promise.resolve();
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const scheduleRestart = () => {
      clearTimeout(timer);
      // Rebuilds run one after another: a change during a rebuild queues the next.
      timer = setTimeout(() => {
        work = work.then(restartHost);
      }, settleMs);
    };
    for (const folder of ['electron', 'shared']) {
      watch(inRoot(folder), { recursive: true }, scheduleRestart);
    }
    onTermination((signal) => {
      isStopping = true;
      // A terminal sends Ctrl+C to the host as well, and a second signal would cut its shutdown short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) host.kill(signal);
    });
  });
  await server.close();
  process.exit();
};
