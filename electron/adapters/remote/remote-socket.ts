import { failure } from '../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/describe-app-error.ts';
import { createHash } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describeError } from '../../../shared/describe-error.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { RemoteReply, RemoteChannel } from '../../ports/remote-channel.ts';
import { readSocketLine } from './read-socket-line.ts';

type AnswerCommand = (asked: string) => Promise<Outcome<undefined>>;

/** Whoever has not asked by then will not. */
const requestTimeoutMs = 2000;
/** A talk may have to wait for a server that is just being found out about. */
const answerTimeoutMs = 15_000;
/** A system takes no longer path for a socket. */
const maxPathBytes = 103;

/** A socket in the state folder that only this account can open; on Windows a pipe of that name. */
export function createRemoteSocket(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): RemoteChannel {
  const path = platform === 'win32' ? pipeOf(folder) : join(folder, 'remote.sock');
  return {
    listen: async (answer) => {
      if (Buffer.byteLength(path) > maxPathBytes && platform !== 'win32') {
        return failure('commandsPathLong', { path });
      }
      try {
        if (platform !== 'win32') await mkdir(folder, { recursive: true, mode: 0o700 });
        const listener = await listenAlone(path, answer);
        if (listener !== undefined && platform !== 'win32') await chmod(path, 0o600);
        return { ok: true, value: listener?.close };
      } catch (error) {
        return failure('commandsUnheard', { path }, { detail: describeError(error) });
      }
    },
    ask: (words) => ask(path, words),
  };
}

function pipeOf(folder: string): string {
  return `\\\\.\\pipe\\parley-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}

/** A socket that a crashed Parley has left behind is nobody's; one that is answered is another's. */
async function listenAlone(
  path: string,
  answer: AnswerCommand,
): Promise<RemoteListener | undefined> {
  try {
    return await listening(path, answer);
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
  }
  if (await answered(path)) return undefined;
  await rm(path, { force: true });
  return listening(path, answer);
}

interface RemoteListener {
  readonly close: () => Promise<void>;
}

function listening(path: string, answer: AnswerCommand): Promise<RemoteListener> {
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

function answered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });
}

async function serve(socket: Socket, answer: AnswerCommand): Promise<void> {
  const asked = await readSocketLine(socket, requestTimeoutMs);
  if (asked === undefined) {
    socket.destroy();
    return;
  }
  const outcome = await answer(asked);
  // Whoever has gone meanwhile gets no answer.
  if (socket.writable)
    socket.end(`${outcome.ok ? 'done' : `refused ${englishErrorMessage(outcome.error)}`}\n`);
}

async function ask(path: string, words: string): Promise<RemoteReply> {
  const socket = connect(path);
  const failed = new Promise<RemoteReply>((resolve) => {
    socket.on('error', (error) => {
      resolve(absent.has(codeOf(error)) ? { kind: 'nobody' } : unclear(describeError(error)));
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
  if (line?.startsWith('refused ') === true) {
    return { kind: 'refused', message: line.slice('refused '.length) };
  }
  return unclear('it gave no answer');
}

function unclear(reason: string): RemoteReply {
  return { kind: 'unclear', message: `The Parley that runs could not be asked: ${reason}.` };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
