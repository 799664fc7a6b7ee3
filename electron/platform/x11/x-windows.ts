import { setTimeout as delay } from 'node:timers/promises';
import { sanitizeLine } from '../../../shared/text.ts';
import type { ForeignWindow } from '../../../shared/ports/other-programs.ts';
import { withXConnection, type XConnection } from './x-connection.ts';
import { activateWindow, getProperty, propertyValue, type XEnvironment } from './x-protocol.ts';

const noWindow = 0;
const maxTitleLength = 300;
/** How long the window manager may take. After that it has refused. */
const focusTimeoutMs = 600;
const focusCheckMs = 10;

/** The window with the focus, if it belongs to another process. Undefined without a window manager. */
export async function activeXWindow(environment: XEnvironment): Promise<ForeignWindow | undefined> {
  return withXConnection(environment, async (x) => {
    const window = await readActive(x);
    if (window === noWindow) return undefined;
    const [pid, title, oldTitle, program] = await Promise.all([
      readNumber(x, window, '_NET_WM_PID'),
      readText(x, window, '_NET_WM_NAME', 'utf8'),
      readText(x, window, 'WM_NAME', 'latin1'),
      readText(x, window, 'WM_CLASS', 'latin1'),
    ]);
    if (pid === process.pid) return undefined;
    return {
      id: String(window),
      title: sanitizeLine(title === '' ? oldTitle : title, maxTitleLength),
      // The property has the instance and then the class, which is the program's name.
      program: (program.split('\0')[1] ?? '').toLowerCase(),
    };
  });
}

/** Gives a window the focus and waits until it has it. Returns false if it is gone or the window manager refuses. */
export async function focusXWindow(environment: XEnvironment, id: string): Promise<boolean> {
  const hasFocus = await withXConnection(environment, async (x) => {
    const window = Number(id);
    const active = await x.atom('_NET_ACTIVE_WINDOW');
    const windows = await readNumbers(x, x.root, '_NET_CLIENT_LIST');
    if (!windows.includes(window)) return false;
    x.send(activateWindow(x.root, window, active));
    for (let waitedMs = 0; waitedMs < focusTimeoutMs; waitedMs += focusCheckMs) {
      if ((await readActive(x)) === window) return true;
      await delay(focusCheckMs);
    }
    return false;
  });
  return hasFocus === true;
}

async function readActive(x: XConnection): Promise<number> {
  return (await readNumber(x, x.root, '_NET_ACTIVE_WINDOW')) ?? noWindow;
}

async function readNumber(
  x: XConnection,
  window: number,
  name: string,
): Promise<number | undefined> {
  return (await readNumbers(x, window, name))[0];
}

async function readNumbers(
  x: XConnection,
  window: number,
  name: string,
): Promise<readonly number[]> {
  const bytes = await readProperty(x, window, name);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) =>
    bytes.readUInt32LE(4 * index),
  );
}

async function readText(
  x: XConnection,
  window: number,
  name: string,
  encoding: 'utf8' | 'latin1',
): Promise<string> {
  return (await readProperty(x, window, name)).toString(encoding);
}

async function readProperty(x: XConnection, window: number, name: string): Promise<Buffer> {
  const reply = await x.ask(getProperty(window, await x.atom(name)));
  return reply === undefined ? Buffer.alloc(0) : propertyValue(reply);
}
