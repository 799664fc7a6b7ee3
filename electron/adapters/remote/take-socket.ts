import { chmod, link, lstat, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { listenAt } from './remote-listener.ts';
import type { AnswerCommand, RemoteListener } from './remote-listener.ts';

let besides = 0;
/** Each that fails meets another Parley that is at it, which takes milliseconds. */
const mostTries = 100;
const besidesMs = 20;

export interface TakenSocket extends RemoteListener {
  /** Whether whoever comes still comes here; left out where nobody can take the name away. */
  readonly holds?: () => Promise<boolean>;
}

/**
 * Takes the socket in a folder, or nothing where another Parley answers there. It listens under a
 * name of its own first and is given the common one by a link, which the system refuses while there
 * is one: of two that start beside a dead socket one takes it, and the other sees a live one.
 */
export async function takeSocket(
  path: string,
  answer: AnswerCommand,
): Promise<TakenSocket | undefined> {
  const own = nameBeside(path);
  const listener = await listenAt(own, answer);
  try {
    await chmod(own, 0o600);
    const { ino } = await lstat(own);
    if (await named(own, path)) {
      await rm(own, { force: true });
      return {
        holds: () => leadsTo(path, ino),
        close: () => leave(listener, path, ino),
      };
    }
  } catch (error) {
    await listener.close();
    throw error;
  }
  await listener.close();
  return undefined;
}

async function named(own: string, path: string): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (await linked(own, path)) return true;
    if (await answers(path)) return false;
    await requireOwn(path);
    if (await removedAlone(own, path)) continue;
    await rest(besidesMs);
  }
  return false;
}

/**
 * A dead one goes, and by one at a time: else the second would remove what the first has put in its
 * place. Who is at it shows by a link of its own that answers as long as it lives.
 */
async function removedAlone(own: string, path: string): Promise<boolean> {
  const turn = join(dirname(path), 'remote.turn');
  if (!(await linked(own, turn))) {
    if (!(await answers(turn))) await rm(turn, { force: true });
    return false;
  }
  try {
    if (!(await answers(path))) await rm(path, { force: true });
    return true;
  } finally {
    await rm(turn, { force: true });
  }
}

async function linked(own: string, name: string): Promise<boolean> {
  try {
    await link(own, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** What another account has put there is not touched, and nothing is said into it. */
export async function requireOwn(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`${path} is no socket`);
  const account = process.getuid?.();
  if (account !== undefined && found.uid !== account) {
    throw new Error(`${path} belongs to another account`);
  }
}

/** No longer than the common one, because a system takes no long path for a socket. */
function nameBeside(path: string): string {
  besides += 1;
  return join(dirname(path), `r${process.pid.toString(36)}-${besides.toString(36)}`);
}

/** Whether the name still leads to what was given it. */
async function leadsTo(path: string, ino: number): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.ino === ino;
}

async function leave(listener: RemoteListener, path: string, ino: number): Promise<void> {
  if (await leadsTo(path, ino)) await rm(path, { force: true });
  await listener.close();
}

const dead: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT']);

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', (error) => {
      // One that is only busy lives.
      resolve(!dead.has(codeOf(error)));
    });
  });
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
