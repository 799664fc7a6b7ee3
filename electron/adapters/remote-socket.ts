import { createHash } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describeError } from '../describe-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { RemoteAnswer, RemoteLine } from '../ports/remote-line.ts';
import { readLine } from './read-line.ts';

type Hear = (asked: string) => Promise<Outcome<undefined>>;

/** Whoever has not asked by then will not. */
const askWithinMs = 2000;
/** A talk may have to wait for a server that is just being found out about. */
const answerWithinMs = 15_000;
/** A system takes no longer path for a socket. */
const longestPath = 103;

/** A socket in the state folder that only this account can open; on Windows a pipe of that name. */
export function createRemoteSocket(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): RemoteLine {
  const path = platform === 'win32' ? pipeOf(folder) : join(folder, 'remote.sock');
  return {
    listen: async (answer) => {
      if (Buffer.byteLength(path) > longestPath && platform !== 'win32') {
        return { ok: false, problem: `Commands are not heard: ${path} is too long for a socket.` };
      }
      try {
        if (platform !== 'win32') await mkdir(folder, { recursive: true, mode: 0o700 });
        const door = await listenAlone(path, answer);
        if (door !== undefined && platform !== 'win32') await chmod(path, 0o600);
        return { ok: true, value: door?.close };
      } catch (error) {
        return {
          ok: false,
          problem: `Commands are not heard at ${path}: ${describeError(error)}.`,
        };
      }
    },
    ask: (words) => ask(path, words),
  };
}

function pipeOf(folder: string): string {
  return `\\\\.\\pipe\\parley-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}

/** A socket that a crashed Parley has left behind is nobody's; one that is answered is another's. */
async function listenAlone(path: string, answer: Hear): Promise<Door | undefined> {
  try {
    return await listening(path, answer);
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
  }
  if (await answered(path)) return undefined;
  await rm(path, { force: true });
  return listening(path, answer);
}

interface Door {
  readonly close: () => Promise<void>;
}

function listening(path: string, answer: Hear): Promise<Door> {
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

async function serve(socket: Socket, answer: Hear): Promise<void> {
  const asked = await readLine(socket, askWithinMs);
  if (asked === undefined) {
    socket.destroy();
    return;
  }
  const outcome = await answer(asked);
  // Whoever has gone meanwhile is told nothing.
  if (socket.writable) socket.end(`${outcome.ok ? 'done' : `refused ${outcome.problem}`}\n`);
}

async function ask(path: string, words: string): Promise<RemoteAnswer> {
  const socket = connect(path);
  const failed = new Promise<RemoteAnswer>((resolve) => {
    socket.on('error', (error) => {
      resolve(absent.has(codeOf(error)) ? { kind: 'nobody' } : unclear(describeError(error)));
    });
  });
  socket.write(`${words}\n`);
  const answer = readLine(socket, answerWithinMs).then(readAnswer);
  const first = await Promise.race([failed, answer]);
  socket.destroy();
  return first;
}

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENAMETOOLONG']);

function readAnswer(line: string | undefined): RemoteAnswer {
  if (line === 'done') return { kind: 'done' };
  if (line?.startsWith('refused ') === true) {
    return { kind: 'refused', problem: line.slice('refused '.length) };
  }
  return unclear('it gave no answer');
}

function unclear(reason: string): RemoteAnswer {
  return { kind: 'unclear', problem: `The Parley that runs could not be asked: ${reason}.` };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
