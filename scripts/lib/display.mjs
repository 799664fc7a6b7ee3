import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { isAbsolute, join } from 'node:path';

/** @typedef {{ display: string } | { reason: string }} DisplayVerdict */

/**
 * @param {string} socket a file; one that a dead server left behind answers nothing
 * @returns {Promise<boolean>}
 */
const answers = (socket) =>
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

/** @param {string} path an X server may listen in Linux's nameless sockets only */
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
  if (local === null) return true; // on another machine: Electron will find out
  const socket = `/tmp/.X11-unix/X${local[1]}`;
  return isAbstractSocket(socket) || (existsSync(socket) && (await answers(socket)));
};

/** @param {string} name the value of WAYLAND_DISPLAY */
const waylandAnswers = async (name) => {
  const folder = process.env['XDG_RUNTIME_DIR'];
  if (!isAbsolute(name) && folder === undefined) return false;
  return answers(isAbsolute(name) ? name : join(folder ?? '', name));
};

/**
 * Is there a screen to open a window on?
 * @returns {Promise<DisplayVerdict>} `display` is `:0`, `wayland-0` or, off Linux, the system
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
