import { chmod, link, lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import { errorCode } from '../../../shared/harmless-text.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/errors.ts';

/** What became of asking the Parley that runs. */
export type RemoteReply =
  | { readonly kind: 'done'; readonly said?: string }
  | { readonly kind: 'refused'; readonly message: string }
  /** None runs here, or none that listens. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unclear'; readonly message: string };

/** A word that was asked for; most things are done without one. */
export type RemoteAnswer = string | undefined;

/** Whose turn it is to take requests: this Parley's, or that of another one. */
export type RemoteTurn = 'ours' | 'another';

/** From one process to another of the same person: a few words there, a sentence back. */
export interface RemoteChannel {
  /**
   * Takes requests of others, until it is closed. One Parley is enough: where another one takes them
   * already, this one waits, and takes them when that one has gone.
   */
  readonly listen: (
    answer: (asked: string) => Promise<Outcome<RemoteAnswer>>,
    turned?: (turn: RemoteTurn) => void,
  ) => Promise<Outcome<() => Promise<void>>>;
  readonly ask: (words: string) => Promise<RemoteReply>;
}

export type AnswerCommand = (asked: string) => Promise<Outcome<RemoteAnswer>>;

interface RemoteListener {
  readonly close: () => Promise<void>;
}

/** Said by a Parley that wants to know when this one goes; it is answered by that. */
export const waitWord = 'wait';

/** Whoever has not asked by then will not. */
const requestTimeoutMs = 2000;

/** Answers whoever comes to that path, which must be free. */
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
  const asked = await readSocketLine(socket, requestTimeoutMs);
  if (asked === undefined) {
    socket.destroy();
    return;
  }
  if (asked === waitWord) {
    // It is told by the end of this connection, whichever way that comes.
    socket.on('end', () => socket.destroy());
    return;
  }
  const outcome = await answer(asked);
  // Whoever has gone meanwhile gets no answer.
  if (socket.writable) socket.end(`${inWords(outcome)}\n`);
}

function inWords(outcome: Outcome<RemoteAnswer>): string {
  if (!outcome.ok) return `refused ${englishErrorMessage(outcome.error)}`;
  return outcome.value === undefined ? 'done' : `done ${outcome.value}`;
}

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
    if (errorCode(error) === 'EEXIST') return false;
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
      resolve(!dead.has(errorCode(error)));
    });
  });
}

/** Nobody has more to say in one line; a sentence with a path in it fits. */
const maxLineLength = 8192;

/** The first line that comes; nothing where none comes in time, or one without an end. */
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
    // Each of them may come without the others.
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
