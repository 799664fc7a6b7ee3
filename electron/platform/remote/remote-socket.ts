import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { failure } from '../../../shared/errors/app-error.ts';
import { describeError, errorCode } from '../../../shared/sanitize-text.ts';
import { tightenFolder } from '../files/state-folder.ts';
import {
  type AnswerCommand,
  listenAt,
  readSocketLine,
  type RemoteChannel,
  type RemoteReply,
  type RemoteTurn,
  requireOwnSocket,
  type TakenSocket,
  takeSocket,
  waitCommand,
} from './remote-listener.ts';

/** A talk may wait for a server that is being probed. */
const answerTimeoutMs = 15_000;
const maxPathBytes = 103;

/** A socket in the state folder that only this account can open; a named pipe on Windows. */
export function createRemoteSocket(
  folder: string,
  platform: NodeJS.Platform = process.platform,
  watch: WatchName = watchName,
): RemoteChannel {
  const piped = platform === 'win32';
  const path = piped ? pipeName(folder) : join(folder, 'remote.sock');
  return {
    listen: async (answer, onTurn = () => undefined) => {
      if (Buffer.byteLength(path) > maxPathBytes && !piped) {
        return failure('commandsPathLong', { path });
      }
      const take = piped
        ? () => takePipe(path, answer)
        : () => takeSocketInFolder(folder, path, answer);
      const turns = new RemoteTurns({ path, take, onTurn, watch });
      try {
        await turns.begin();
        return { ok: true, value: turns.close };
      } catch (error) {
        return failure('commandsUnheard', { path }, { detail: describeError(error) });
      }
    },
    ask: async (words) => {
      try {
        if (!piped) await requireOwnSocket(path);
      } catch (error) {
        return unclear(describeError(error));
      }
      return ask(path, words);
    },
  };
}

function pipeName(folder: string): string {
  return `\\\\.\\pipe\\parley-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}

async function takeSocketInFolder(
  folder: string,
  path: string,
  answer: AnswerCommand,
): Promise<TakenSocket | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  tightenFolder(folder);
  return takeSocket(path, answer);
}

/** Windows reserves a pipe's name for its owner. */
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
      resolve(
        absentCodes.has(errorCode(error)) ? { kind: 'nobody' } : unclear(describeError(error)),
      );
    });
  });
  socket.write(`${words}\n`);
  const answer = readSocketLine(socket, answerTimeoutMs).then(readAnswer);
  const first = await Promise.race([failed, answer]);
  socket.destroy();
  return first;
}

const absentCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ENOTDIR',
  'ENAMETOOLONG',
]);

function readAnswer(line: string | undefined): RemoteReply {
  if (line === 'done') return { kind: 'done' };
  if (line?.startsWith('done ') === true) return { kind: 'done', said: line.slice('done '.length) };
  if (line?.startsWith('refused ') === true) {
    return { kind: 'refused', message: line.slice('refused '.length) };
  }
  return unclear('it gave no answer');
}

function unclear(reason: string): RemoteReply {
  return { kind: 'unclear', message: `The running Parley could not be reached: ${reason}.` };
}

interface Deps {
  readonly path: string;
  /** Undefined if another Parley answers. */
  readonly take: () => Promise<TakenSocket | undefined>;
  readonly onTurn: (turn: RemoteTurn) => void;
  readonly watch: WatchName;
}

/** Retry interval with an older version, which answers instead of waiting. */
const olderRetryMs = 2000;
/** Retry interval after the other Parley has just ended. */
const endedRetryMs = 100;
/** Check interval for a deleted path, where the system reports no changes. */
const checkEveryMs = 5000;
/** Check interval where it does, because it misses a move of a parent folder. */
const checkWatchedEveryMs = 60_000;
/** One change is reported several times. */
const settledMs = 50;

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

  /** Rejects if it can neither take nor wait. */
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
    this.#setTurn(taken === undefined ? 'another' : 'ours');
    if (this.#closed) return;
    if (taken === undefined) this.#wait();
    else if (taken.isCurrent !== undefined) await this.#keepWatch(taken, taken.isCurrent);
  }

  /** Starts watching before checking, so no change is missed. */
  async #keepWatch(taken: TakenSocket, isCurrent: () => Promise<boolean>): Promise<void> {
    this.#endWatch();
    const check = async (): Promise<void> => {
      if (this.#taken !== taken) return;
      if (await isCurrent()) {
        this.#schedule(this.#unwatch === undefined ? checkEveryMs : checkWatchedEveryMs, check);
        return;
      }
      this.#endWatch();
      this.#taken = undefined;
      await taken.close();
      await this.#take();
    };
    this.#unwatch = this.#deps.watch(this.#deps.path, () => {
      this.#schedule(settledMs, check);
    });
    await check();
  }

  #endWatch(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  #wait(): void {
    let retryMs = 0;
    const socket = connect(this.#deps.path);
    this.#waiting = socket;
    socket.on('error', () => (retryMs = endedRetryMs));
    socket.on('data', () => (retryMs = olderRetryMs));
    socket.on('close', () => {
      this.#waiting = undefined;
      this.#schedule(retryMs, () => this.#take());
    });
    socket.write(`${waitCommand}\n`);
    socket.unref();
  }

  /** Failures are retried: a folder may reappear, or a disk may have room. */
  #schedule(milliseconds: number, run: () => Promise<void>): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Serialized, so repeated reports cause one check.
      this.#taking = this.#taking.then(run).catch(() => {
        this.#schedule(checkEveryMs, () => this.#take());
      });
    }, milliseconds);
    this.#timer.unref();
  }

  #setTurn(turn: RemoteTurn): void {
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.#deps.onTurn(turn);
  }
}

/**
 * Calls back when the path's entry or its folder may have changed, or when watching fails. Returns the function
 * that stops it; undefined if the system allows no more watches.
 */
type WatchName = (path: string, changed: () => void) => (() => void) | undefined;

export const watchName: WatchName = (path, changed) => {
  const folder = dirname(path);
  // A removed folder is reported under its own name, and some systems report no name.
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
