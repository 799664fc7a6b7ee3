import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { englishErrorMessage } from '../../../shared/i18n/en/describe-app-error.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { RemoteAnswer } from '../../ports/remote-channel.ts';
import { readSocketLine } from './read-socket-line.ts';

export type AnswerCommand = (asked: string) => Promise<Outcome<RemoteAnswer>>;

export interface RemoteListener {
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
