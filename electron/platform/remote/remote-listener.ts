import { chmod, link, lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import { errorCode } from '../../../shared/sanitize-text.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/errors.ts';

export type RemoteReply =
  | { readonly kind: 'done'; readonly said?: string }
  | { readonly kind: 'refused'; readonly message: string }
  /** No Parley runs here, or none accepts commands. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unclear'; readonly message: string };

/** A text, for commands that return one. */
export type RemoteAnswer = string | undefined;

/** Whether this Parley or another one takes the requests. */
export type RemoteTurn = 'ours' | 'another';

/** Sends short commands between processes of the same user. */
export interface RemoteChannel {
  /** Takes requests until closed. If another Parley takes them already, waits and takes over when it ends. */
  readonly listen: (
    answer: (command: string) => Promise<Outcome<RemoteAnswer>>,
    onTurn?: (turn: RemoteTurn) => void,
  ) => Promise<Outcome<() => Promise<void>>>;
  readonly ask: (words: string) => Promise<RemoteReply>;
}

export type AnswerCommand = (command: string) => Promise<Outcome<RemoteAnswer>>;

interface RemoteListener {
  readonly close: () => Promise<void>;
}

/** Sent by a Parley that waits for this one to end; the closing connection is the answer. */
export const waitCommand = 'wait';

const requestTimeoutMs = 2000;

export function listenAt(path: string, answer: AnswerCommand): Promise<RemoteListener> {
  const callers = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    callers.add(socket);
    socket.on('close', () => callers.delete(socket));
    void serve(socket, answer);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      for (const socket of callers) socket.destroy();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      resolve({ close });
    });
  });
}

async function serve(socket: Socket, answer: AnswerCommand): Promise<void> {
  const command = await readSocketLine(socket, requestTimeoutMs);
  if (command === undefined) {
    socket.destroy();
    return;
  }
  if (command === waitCommand) {
    // The waiting side notices the end of this connection.
    socket.on('end', () => socket.destroy());
    return;
  }
  const outcome = await answer(command);
  // The client may have disconnected.
  if (socket.writable) socket.end(`${formatReply(outcome)}\n`);
}

function formatReply(outcome: Outcome<RemoteAnswer>): string {
  if (!outcome.ok) return `refused ${englishErrorMessage(outcome.error)}`;
  return outcome.value === undefined ? 'done' : `done ${outcome.value}`;
}

let socketCount = 0;
/** Each failed try means that another Parley is taking the socket, which takes milliseconds. */
const maxTries = 100;
const retryPauseMs = 20;

export interface TakenSocket extends RemoteListener {
  /** Whether the path still leads to this socket; omitted where nobody can take it away. */
  readonly isCurrent?: () => Promise<boolean>;
}

/**
 * Takes the socket in a folder; undefined if another Parley answers there. It listens under a unique name first
 * and then links the common name, which the system refuses while it exists. If two start next to a dead socket,
 * one takes it and the other sees a live one.
 */
export async function takeSocket(
  path: string,
  answer: AnswerCommand,
): Promise<TakenSocket | undefined> {
  const own = uniqueSocketPath(path);
  const listener = await listenAt(own, answer);
  try {
    await chmod(own, 0o600);
    const { ino } = await lstat(own);
    if (await linkName(own, path)) {
      await rm(own, { force: true });
      return {
        isCurrent: () => isSameSocket(path, ino),
        close: () => closeAndUnlink(listener, path, ino),
      };
    }
  } catch (error) {
    await listener.close();
    throw error;
  }
  await listener.close();
  return undefined;
}

async function linkName(own: string, path: string): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (await tryLink(own, path)) return true;
    if (await isAlive(path)) return false;
    await requireOwnSocket(path);
    if (await removeDeadSocket(own, path)) continue;
    await wait(retryPauseMs);
  }
  return false;
}

/** Removes a dead socket under a lock (a link to a live one), so two processes cannot collide. */
async function removeDeadSocket(own: string, path: string): Promise<boolean> {
  const turn = join(dirname(path), 'remote.turn');
  if (!(await tryLink(own, turn))) {
    if (!(await isAlive(turn))) await rm(turn, { force: true });
    return false;
  }
  try {
    if (!(await isAlive(path))) await rm(path, { force: true });
    return true;
  } finally {
    await rm(turn, { force: true });
  }
}

async function tryLink(own: string, name: string): Promise<boolean> {
  try {
    await link(own, name);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Refuses a path that belongs to another account. */
export async function requireOwnSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`${path} is not a socket`);
  const account = process.getuid?.();
  if (account !== undefined && found.uid !== account) {
    throw new Error(`${path} belongs to another account`);
  }
}

/** As short as the common name, because socket paths are limited. */
function uniqueSocketPath(path: string): string {
  socketCount += 1;
  return join(dirname(path), `r${process.pid.toString(36)}-${socketCount.toString(36)}`);
}

async function isSameSocket(path: string, ino: number): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.ino === ino;
}

async function closeAndUnlink(listener: RemoteListener, path: string, ino: number): Promise<void> {
  if (await isSameSocket(path, ino)) await rm(path, { force: true });
  await listener.close();
}

const deadSocketCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT']);

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', (error) => {
      // A busy socket is alive.
      resolve(!deadSocketCodes.has(errorCode(error)));
    });
  });
}

/** Fits any message, including one with a path. */
const maxLineLength = 8192;

/** Reads the first line; undefined after a timeout or for an overlong line. */
export function readSocketLine(socket: Socket, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let read = '';
    const end = (line: string | undefined): void => {
      clearTimeout(timer);
      resolve(line);
    };
    const timer = setTimeout(() => {
      end(undefined);
    }, timeoutMs);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      read += text;
      const at = read.indexOf('\n');
      if (at !== -1) end(read.slice(0, at));
      else if (read.length > maxLineLength) end(undefined);
    });
    // Any of these may come alone.
    socket.on('end', () => {
      end(undefined);
    });
    socket.on('error', () => {
      end(undefined);
    });
    socket.on('close', () => {
      end(undefined);
    });
  });
}
