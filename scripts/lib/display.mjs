import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';

/** @typedef {{ display: string } | { reason: string }} DisplayVerdict */

/**
 * @param {string} socket a path; a dead server may have left the file behind
 * @returns {Promise<boolean>}
 */
const acceptsConnections = (socket) =>
  new Promise((resolve) => {
    const client = connect(socket);
    /** @param {boolean} result */
    const end = (result) => {
      client.destroy();
      resolve(result);
    };
    client.setTimeout(500, () => end(false));
    client.on('connect', () => end(true));
    client.on('error', () => end(false));
  });

/** @param {string} path Linux lets an X server listen in the abstract namespace, without a file */
const isAbstractSocket = (path) => {
  try {
    return readFileSync('/proc/net/unix', 'utf8').includes(`@${path}\n`);
  } catch {
    return false;
  }
};

/** @param {string} display the value of DISPLAY */
const xAnswers = async (display) => {
  const local = /^(?:unix)?:(\d+)/.exec(display);
  if (local === null) return true; // a display on another machine: Electron will report it
  const socket = `/tmp/.X11-unix/X${local[1]}`;
  return isAbstractSocket(socket) || (existsSync(socket) && (await acceptsConnections(socket)));
};

/** @param {string} name the value of WAYLAND_DISPLAY */
const waylandAnswers = async (name) => {
  const folder = process.env['XDG_RUNTIME_DIR'];
  if (!isAbsolute(name) && folder === undefined) return false;
  return acceptsConnections(isAbsolute(name) ? name : join(folder ?? '', name));
};

/**
 * Checks that a display server answers, so that a window can open.
 * @returns {Promise<DisplayVerdict>} `display` is `:0`, `wayland-0` or, outside Linux, the platform
 */
export const displayVerdict = async () => {
  if (process.platform !== 'linux') return { display: process.platform };
  const x = process.env['DISPLAY'] ?? '';
  const wayland = process.env['WAYLAND_DISPLAY'] ?? '';
  if (x === '' && wayland === '') {
    return { reason: 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)' };
  }
  if (x !== '' && (await xAnswers(x))) return { display: x };
  if (wayland !== '' && (await waylandAnswers(wayland))) return { display: wayland };
  return x === ''
    ? { reason: `no screen answers at WAYLAND_DISPLAY=${wayland}` }
    : { reason: `no screen answers at DISPLAY=${x}` };
};

/**
 * Starts a virtual screen for windows of tests.
 * @param {string} xvfb the program's path
 * @param {{ size?: string, memoryFolder?: string }} [options] `memoryFolder` gets a file with the screen's pixels
 * @returns {Promise<{ display: string, stop: () => void }>}
 */
export const startVirtualScreen = async (xvfb, { size = '1600x1000', memoryFolder } = {}) => {
  const memory = memoryFolder === undefined ? [] : ['-fbdir', memoryFolder, '-nocursor'];
  const child = spawn(
    xvfb,
    ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp', '-noreset', ...memory],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const pipe = /** @type {import('node:stream').Readable} */ (child.stdio[3]);
  const ended = once(child, 'exit').then(() => {
    throw new Error('the virtual screen ended before it was ready');
  });
  // Xvfb writes its display number when it is ready for windows.
  const ready = once(createInterface(pipe), 'line');
  const [number] = /** @type {[string]} */ (await Promise.race([ready, ended]));
  ended.catch(() => undefined);
  child.unref();
  pipe.destroy();
  return {
    display: `:${number.trim()}`,
    stop: () => {
      child.kill('SIGTERM');
    },
  };
};
