import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { failure } from '../../../shared/errors/app-error.ts';
import { describeError, errorCode } from '../../../shared/harmless-text.ts';
import { tightenFolder } from '../files/state-folder.ts';
import {
  type AnswerCommand,
  listenAt,
  readSocketLine,
  type RemoteChannel,
  type RemoteReply,
  type RemoteTurn,
  requireOwn,
  type TakenSocket,
  takeSocket,
  waitWord,
} from './remote-listener.ts';

/** A talk may have to wait for a server that is just being found out about. */
const answerTimeoutMs = 15_000;
/** A system takes no longer path for a socket. */
const maxPathBytes = 103;

/** A socket in the state folder that only this account can open; on Windows a pipe of that name. */
export function createRemoteSocket(
  folder: string,
  platform: NodeJS.Platform = process.platform,
  watch: WatchName = watchName,
): RemoteChannel {
  const piped = platform === 'win32';
  const path = piped ? pipeOf(folder) : join(folder, 'remote.sock');
  return {
    listen: async (answer, turned = () => undefined) => {
      if (Buffer.byteLength(path) > maxPathBytes && !piped) {
        return failure('commandsPathLong', { path });
      }
      const take = piped ? () => takePipe(path, answer) : () => takeOwn(folder, path, answer);
      const turns = new RemoteTurns({ path, take, turned, watch });
      try {
        await turns.begin();
        return { ok: true, value: turns.close };
      } catch (error) {
        return failure('commandsUnheard', { path }, { detail: describeError(error) });
      }
    },
    ask: async (words) => {
      try {
        if (!piped) await requireOwn(path);
      } catch (error) {
        return unclear(describeError(error));
      }
      return ask(path, words);
    },
  };
}

function pipeOf(folder: string): string {
  return `\\\\.\\pipe\\parley-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}

async function takeOwn(
  folder: string,
  path: string,
  answer: AnswerCommand,
): Promise<TakenSocket | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  tightenFolder(folder);
  return takeSocket(path, answer);
}

/** The system keeps a pipe's name for the one who has it, and for no longer. */
async function takePipe(path: string, answer: AnswerCommand): Promise<TakenSocket | undefined> {
  try {
    return await listenAt(path, answer);
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
}

async function ask(path: string, words: string): Promise<RemoteReply> {
  const socket = connect(path);
  const failed = new Promise<RemoteReply>((resolve) => {
    socket.on('error', (error) => {
      resolve(absent.has(errorCode(error)) ? { kind: 'nobody' } : unclear(describeError(error)));
    });
  });
  socket.write(`${words}\n`);
  const answer = readSocketLine(socket, answerTimeoutMs).then(readAnswer);
  const first = await Promise.race([failed, answer]);
  socket.destroy();
  return first;
}

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENAMETOOLONG']);

function readAnswer(line: string | undefined): RemoteReply {
  if (line === 'done') return { kind: 'done' };
  if (line?.startsWith('done ') === true) return { kind: 'done', said: line.slice('done '.length) };
  if (line?.startsWith('refused ') === true) {
    return { kind: 'refused', message: line.slice('refused '.length) };
  }
  return unclear('it gave no answer');
}

function unclear(reason: string): RemoteReply {
  return { kind: 'unclear', message: `The Parley that runs could not be asked: ${reason}.` };
}

interface Deps {
  readonly path: string;
  /** Nothing where another Parley answers. */
  readonly take: () => Promise<TakenSocket | undefined>;
  readonly turned: (turn: RemoteTurn) => void;
  readonly watch: WatchName;
}

/** For one that answers instead: it is of an earlier version and does not know waiting. */
const askAgainMs = 2000;
/** For one that has gone before it could be waited for. */
const soonMs = 100;
/** How often it is looked whether the name still leads here, where the system does not tell: somebody may have deleted it. */
const checkEveryMs = 5000;
/** Where it does tell: a folder further up may have moved, and of that it says nothing. */
const checkWatchedEveryMs = 60_000;
/** One change is told several times, and in the midst of it. */
const settledMs = 50;

/** Takes requests, or waits for the other one to go and takes them then. */
class RemoteTurns {
  readonly #deps: Deps;
  #taken: TakenSocket | undefined;
  #waiting: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  #turn: RemoteTurn | undefined;
  #taking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Rejects where it can neither take nor wait. */
  begin(): Promise<void> {
    return this.#take();
  }

  readonly close = async (): Promise<void> => {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#endWatch();
    this.#waiting?.destroy();
    await this.#taking;
    await this.#taken?.close();
    this.#taken = undefined;
  };

  async #take(): Promise<void> {
    const taken = await this.#deps.take();
    this.#taken = taken;
    this.#say(taken === undefined ? 'another' : 'ours');
    if (this.#closed) return;
    if (taken === undefined) this.#wait();
    else if (taken.holds !== undefined) await this.#keep(taken, taken.holds);
  }

  /** Watches first and looks then, so that nothing happens between the two. */
  async #keep(taken: TakenSocket, holds: () => Promise<boolean>): Promise<void> {
    this.#endWatch();
    const check = async (): Promise<void> => {
      if (this.#taken !== taken) return;
      if (await holds()) {
        this.#later(this.#unwatch === undefined ? checkEveryMs : checkWatchedEveryMs, check);
        return;
      }
      this.#endWatch();
      this.#taken = undefined;
      await taken.close();
      await this.#take();
    };
    this.#unwatch = this.#deps.watch(this.#deps.path, () => {
      this.#later(settledMs, check);
    });
    await check();
  }

  #endWatch(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  #wait(): void {
    let again = 0;
    const socket = connect(this.#deps.path);
    this.#waiting = socket;
    socket.on('error', () => (again = soonMs));
    socket.on('data', () => (again = askAgainMs));
    socket.on('close', () => {
      this.#waiting = undefined;
      this.#later(again, () => this.#take());
    });
    socket.write(`${waitWord}\n`);
    socket.unref();
  }

  /** What fails then is tried again: a folder may be there again, a disk may have room. */
  #later(milliseconds: number, run: () => Promise<void>): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // One after the other: what is told several times is done once.
      this.#taking = this.#taking.then(run).catch(() => {
        this.#later(checkEveryMs, () => this.#take());
      });
    }, milliseconds);
    this.#timer.unref();
  }

  #say(turn: RemoteTurn): void {
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.#deps.turned(turn);
  }
}

/**
 * Calls when something else may have that name in its folder, or the folder itself has gone. Gives what ends it, or
 * nothing where the system watches no more of them; what is watched may also be lost later, which is a call, too.
 */
type WatchName = (path: string, changed: () => void) => (() => void) | undefined;

export const watchName: WatchName = (path, changed) => {
  const folder = dirname(path);
  // A folder that goes tells it under its own name, and some systems tell no name at all.
  const names: ReadonlySet<string | null> = new Set([basename(path), basename(folder), null]);
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (names.has(name)) changed();
    });
    watcher.on('error', changed);
    return () => {
      watcher.close();
    };
  } catch {
    return undefined;
  }
};
