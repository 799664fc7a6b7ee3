import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { failure, describeError, errorCode } from '../../../shared/errors/app-error.ts';
import { tightenFolder } from '../files/state-folder.ts';
import {
  type AnswerCommand,
  listenAt,
  readSocketLine,
  type RemoteChannel,
  type RemoteReply,
  type RemoteReceiver,
  requireOwnSocket,
  type TakenSocket,
  takeSocket,
  waitCommand,
} from './remote-listener.ts';

/** The time limit of a command. Starting a talk may wait for a server that is being tested. */
const answerTimeoutMs = 15_000;
const maxPathBytes = 103;

/** A channel over a socket in the state folder that only this account can open, or a named pipe on Windows. */
export function createRemoteSocket(
  folder: string,
  platform: NodeJS.Platform = process.platform,
  watch: WatchName = watchName,
): RemoteChannel {
  const usesPipe = platform === 'win32';
  const path = usesPipe ? pipeName(folder) : join(folder, 'remote.sock');
  return {
    listen: async (answer, onReceiver = () => undefined) => {
      if (Buffer.byteLength(path) > maxPathBytes && !usesPipe) {
        return failure('commandsPathLong', { path });
      }
      const take = usesPipe
        ? () => takePipe(path, answer)
        : () => takeSocketInFolder(folder, path, answer);
      const receiver = new RemoteCommandReceiver({ path, take, onReceiver, watch });
      try {
        await receiver.begin();
        return { ok: true, value: receiver.close };
      } catch (error) {
        return failure('commandsUnheard', { path }, { detail: describeError(error) });
      }
    },
    ask: async (words) => {
      try {
        if (!usesPipe) await requireOwnSocket(path);
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

/** Listens on a pipe. Undefined if another Parley has its name, which Windows reserves for one process. */
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
  const connectFailure = new Promise<RemoteReply>((resolve) => {
    socket.on('error', (error) => {
      resolve(
        notRunningCodes.has(errorCode(error)) ? { kind: 'nobody' } : unclear(describeError(error)),
      );
    });
  });
  socket.write(`${words}\n`);
  const answer = readSocketLine(socket, answerTimeoutMs).then(readAnswer);
  const first = await Promise.race([connectFailure, answer]);
  socket.destroy();
  return first;
}

const notRunningCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ENOTDIR',
  'ENAMETOOLONG',
]);

function readAnswer(line: string | undefined): RemoteReply {
  if (line === 'done') return { kind: 'done' };
  if (line?.startsWith('done ') === true)
    return { kind: 'done', output: line.slice('done '.length) };
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
  /** Takes the socket. Undefined if another Parley has it. */
  readonly take: () => Promise<TakenSocket | undefined>;
  readonly onReceiver: (receiver: RemoteReceiver) => void;
  readonly watch: WatchName;
}

/** When to try again if the other Parley is an older version, which answers at once instead of waiting. */
const olderRetryMs = 2000;
/** When to try again after the connection to the other Parley failed. After an orderly end, Parley tries at once. */
const failedRetryMs = 100;
/** How often to check whether the path was deleted, where the system does not report changes. */
const checkIntervalMs = 5000;
/** How often to check even where the system reports changes, because it does not report that a parent folder has moved. */
const watchedCheckIntervalMs = 60_000;
/** How long to wait after a change, because the system reports one change several times. */
const changeDelayMs = 50;

/** Receives commands on the socket, or waits until another Parley that has it ends. */
class RemoteCommandReceiver {
  readonly #deps: Deps;
  #socket: TakenSocket | undefined;
  #waitingSocket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopWatching: (() => void) | undefined;
  #receiver: RemoteReceiver | undefined;
  #taking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Rejects if the socket can neither be taken nor waited for. */
  begin(): Promise<void> {
    return this.#take();
  }

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#endWatch();
    this.#waitingSocket?.destroy();
    await this.#taking;
    await this.#socket?.close();
    this.#socket = undefined;
  };

  async #take(): Promise<void> {
    const socket = await this.#deps.take();
    this.#socket = socket;
    this.#setReceiver(socket === undefined ? 'another' : 'ours');
    if (this.#isClosed) return;
    if (socket === undefined) this.#wait();
    else if (socket.isCurrent !== undefined) await this.#keepWatch(socket, socket.isCurrent);
  }

  /** Takes the socket again if its path is deleted. Watches before it checks, so that no change is missed. */
  async #keepWatch(socket: TakenSocket, isCurrent: () => Promise<boolean>): Promise<void> {
    this.#endWatch();
    const check = async (): Promise<void> => {
      if (this.#socket !== socket) return;
      if (await isCurrent()) {
        this.#schedule(
          this.#stopWatching === undefined ? checkIntervalMs : watchedCheckIntervalMs,
          check,
        );
        return;
      }
      this.#endWatch();
      this.#socket = undefined;
      await socket.close();
      await this.#take();
    };
    this.#stopWatching = this.#deps.watch(this.#deps.path, () => {
      this.#schedule(changeDelayMs, check);
    });
    await check();
  }

  #endWatch(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #wait(): void {
    let retryMs = 0;
    const socket = connect(this.#deps.path);
    this.#waitingSocket = socket;
    socket.on('error', () => (retryMs = failedRetryMs));
    socket.on('data', () => (retryMs = olderRetryMs));
    socket.on('close', () => {
      this.#waitingSocket = undefined;
      this.#schedule(retryMs, () => this.#take());
    });
    socket.write(`${waitCommand}\n`);
    socket.unref();
  }

  /** Runs work later. Failed work is tried again, because a folder may come back or a disk get room. */
  #schedule(milliseconds: number, run: () => Promise<void>): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // One after the other, because the earlier work may still run when this is due.
      this.#taking = this.#taking.then(run).catch(() => {
        this.#schedule(checkIntervalMs, () => this.#take());
      });
    }, milliseconds);
    this.#timer.unref();
  }

  #setReceiver(receiver: RemoteReceiver): void {
    if (receiver === this.#receiver) return;
    this.#receiver = receiver;
    this.#deps.onReceiver(receiver);
  }
}

/**
 * Calls back when the path or its folder may have changed, or when watching fails. Returns a function that stops the
 * watch, or undefined if the system allows no more watches.
 */
type WatchName = (path: string, onChange: () => void) => (() => void) | undefined;

export const watchName: WatchName = (path, onChange) => {
  const folder = dirname(path);
  // A removed folder is reported under its own name, and some systems report no name.
  const names: ReadonlySet<string | null> = new Set([basename(path), basename(folder), null]);
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (names.has(name)) onChange();
    });
    watcher.on('error', onChange);
    return () => watcher.close();
  } catch {
    return undefined;
  }
};
