import { chmod, link, lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Outcome, errorCode } from '../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/errors.ts';

export type RemoteReply =
  | { readonly kind: 'done'; readonly output?: string }
  | { readonly kind: 'refused'; readonly message: string }
  /** No Parley runs here, or none accepts commands. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unclear'; readonly message: string };

export type RemoteAnswer = string | undefined;

/** Whether this Parley or another one receives the commands. */
export type RemoteReceiver = 'ours' | 'another';

/** Sends short commands between processes of the same user. */
export interface RemoteChannel {
  /** Receives commands until it is closed. While another Parley receives them, this one waits; it takes over when the other ends. */
  readonly listen: (
    answer: (command: string) => Promise<Outcome<RemoteAnswer>>,
    onReceiver?: (receiver: RemoteReceiver) => void,
  ) => Promise<Outcome<() => Promise<void>>>;
  readonly ask: (words: string) => Promise<RemoteReply>;
}

export type AnswerCommand = (command: string) => Promise<Outcome<RemoteAnswer>>;

interface RemoteListener {
  readonly close: () => Promise<void>;
}

/** Sent by a Parley that waits for this one to end. It gets no answer; the end closes the connection. */
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
      server.close(() => resolve());
      for (const socket of callers) socket.destroy();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve({ close }));
  });
}

async function serve(socket: Socket, answer: AnswerCommand): Promise<void> {
  const command = await readSocketLine(socket, requestTimeoutMs);
  if (command === undefined) {
    socket.destroy();
    return;
  }
  if (command === waitCommand) {
    // The connection stays open: its end tells the other Parley that this one has ended.
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
/** An attempt fails while another Parley takes the socket, which takes milliseconds. */
const maxAttempts = 100;
const retryPauseMs = 20;

export interface TakenSocket extends RemoteListener {
  /** Whether the path still leads to this socket. Undefined on Windows, where nobody can take it away. */
  readonly isCurrent?: () => Promise<boolean>;
}

/**
 * Takes the socket at a path. Undefined if another Parley answers there. First listens on a socket with a unique name, and
 * then links the common name to that socket, which the system refuses while the common name exists. If two start beside a
 * dead socket, one puts its own socket there, and the other finds a live one.
 */
export async function takeSocket(
  path: string,
  answer: AnswerCommand,
): Promise<TakenSocket | undefined> {
  const uniquePath = uniqueSocketPath(path);
  const listener = await listenAt(uniquePath, answer);
  try {
    await chmod(uniquePath, 0o600);
    const { ino } = await lstat(uniquePath);
    if (await linkName(uniquePath, path)) {
      await rm(uniquePath, { force: true });
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

async function linkName(uniquePath: string, path: string): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (await tryLink(uniquePath, path)) return true;
    if (await isAlive(path)) return false;
    await requireOwnSocket(path);
    if (await removeDeadSocket(uniquePath, path)) continue;
    await wait(retryPauseMs);
  }
  return false;
}

/**
 * Removes a dead socket. The lock is a second link to this process's new socket. Without it, a slower process could remove
 * the live socket that a faster one has just put in the place of the dead one.
 */
async function removeDeadSocket(uniquePath: string, path: string): Promise<boolean> {
  const lockPath = join(dirname(path), 'remote.turn');
  if (!(await tryLink(uniquePath, lockPath))) {
    if (!(await isAlive(lockPath))) await rm(lockPath, { force: true });
    return false;
  }
  try {
    if (!(await isAlive(path))) await rm(path, { force: true });
    return true;
  } finally {
    await rm(lockPath, { force: true });
  }
}

async function tryLink(uniquePath: string, name: string): Promise<boolean> {
  try {
    await link(uniquePath, name);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Throws if the path exists and is not a socket of this account. */
export async function requireOwnSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`${path} is not a socket`);
  const account = process.getuid?.();
  if (account !== undefined && found.uid !== account) {
    throw new Error(`${path} belongs to another account`);
  }
}

/** A path as short as the common one, because the length of socket paths is limited. */
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

/** Enough for any command, also for one with a path. */
const maxLineLength = 8192;

/** Reads the first line. Undefined after a timeout, for a line that is too long, or if the connection ends first. */
export function readSocketLine(socket: Socket, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let buffer = '';
    const end = (line: string | undefined): void => {
      clearTimeout(timer);
      resolve(line);
    };
    const timer = setTimeout(() => end(undefined), timeoutMs);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      buffer += text;
      const lineEnd = buffer.indexOf('\n');
      if (lineEnd !== -1) end(buffer.slice(0, lineEnd));
      else if (buffer.length > maxLineLength) end(undefined);
    });
    // Each of these events may be the only one.
    socket.on('end', () => end(undefined));
    socket.on('error', () => end(undefined));
    socket.on('close', () => end(undefined));
  });
}
