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
import { exitCodeOf, onEnding } from './signals.mjs';
import { Stop } from './stop.mjs';

const SETTLE_MS = 150;

/** @returns {Promise<import('vite').ViteDevServer>} the renderer, replaced in place as it changes */
const serveRenderer = async () => {
  const { config } = await resolveConfig({ root: rootDir, logLevel: 'warn' }, 'serve');
  const local = { server: { host: '127.0.0.1', strictPort: false } };
  return (await createServer(mergeConfig(config?.renderer ?? {}, local))).listen();
};

/** @returns {Promise<number>} */
const freePort = async () => {
  const probe = createNetServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
};

const buildMain = async () => {
  // What this writes is not what the build's stamp stands for.
  forgetBuild();
  const { config } = await resolveConfig({ root: rootDir, logLevel: 'warn' }, 'build');
  await build(config?.main ?? {});
};

/**
 * The browser host with its renderer from Vite; the host starts anew when its own code changes.
 * @param {number} port
 * @returns {Promise<void>} ends when the host ends or a signal asks for it
 */
export const developInBrowser = async (port) => {
  const server = await serveRenderer();
  const address = server.httpServer?.address();
  if (address === null || typeof address !== 'object') {
    throw new Stop("Vite's server gave no address: start again.");
  }
  const rendererUrl = `http://127.0.0.1:${address.port}`;
  // The same port and token at every restart, so that the open page finds its host again.
  const token = randomBytes(32).toString('base64url');
  const fixedPort = port === 0 ? await freePort() : port;
  const args = [inRoot('out', 'main', 'browser.js'), '--port', String(fixedPort)];

  await new Promise((/** @type {(value: undefined) => void} */ resolve) => {
    let replacing = false;
    let stopping = false;
    const launch = () => {
      const child = spawn(process.execPath, [...args, '--dev-renderer', rendererUrl], {
        cwd: rootDir,
        env: { ...process.env, PARLEY_DEV_TOKEN: token },
        stdio: 'inherit',
      });
      child.once('exit', (code, signal) => {
        if (replacing && !stopping) return;
        process.exitCode = exitCodeOf(code, signal);
        resolve(undefined);
      });
      return child;
    };
    let host = launch();

    const replace = async () => {
      try {
        await buildMain();
      } catch (error) {
        const lines = plainLines(error instanceof Error ? error.message : String(error));
        say(`Not rebuilt: ${lines.slice(0, 12).join('\n')}`);
        return;
      }
      if (stopping) return;
      replacing = true;
      host.kill();
      if (host.exitCode === null && host.signalCode === null) await once(host, 'exit');
      if (!stopping) host = launch();
      replacing = false;
    };

    let work = Promise.resolve();
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const changed = () => {
      clearTimeout(timer);
      // One after another: a change during a rebuild asks for one more.
      timer = setTimeout(() => {
        work = work.then(replace);
      }, SETTLE_MS);
    };
    for (const folder of ['electron', 'shared']) {
      watch(inRoot(folder), { recursive: true }, changed);
    }
    onEnding((signal) => {
      stopping = true;
      // A terminal sends Ctrl+C to the host as well; a second one would cut its ending short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) host.kill(signal);
    });
  });
  await server.close();
  process.exit();
};
