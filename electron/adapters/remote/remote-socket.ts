import { failure } from '../../../shared/errors/app-error.ts';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describeError } from '../../../shared/describe-error.ts';
import type { RemoteChannel, RemoteReply } from '../../ports/remote-channel.ts';
import { readSocketLine } from './read-socket-line.ts';
import { listenAt } from './remote-listener.ts';
import type { AnswerCommand } from './remote-listener.ts';
import { RemoteTurns } from './remote-turns.ts';
import { tightenFolder } from '../files/tighten-folder.ts';
import { codeOf, requireOwn, takeSocket } from './take-socket.ts';
import type { TakenSocket } from './take-socket.ts';
import { watchName } from './watch-name.ts';
import type { WatchName } from './watch-name.ts';

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
    if (codeOf(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
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
  if (line?.startsWith('done ') === true) return { kind: 'done', said: line.slice('done '.length) };
  if (line?.startsWith('refused ') === true) {
    return { kind: 'refused', message: line.slice('refused '.length) };
  }
  return unclear('it gave no answer');
}

function unclear(reason: string): RemoteReply {
  return { kind: 'unclear', message: `The Parley that runs could not be asked: ${reason}.` };
}
