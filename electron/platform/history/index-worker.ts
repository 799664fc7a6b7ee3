import { parentPort, workerData } from 'node:worker_threads';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import { answerIndexCalls, type IndexPlace } from './index-keeper.ts';
import type { IndexAnswer, IndexRequest } from './sqlite-history-index.ts';

// The entry of the thread that holds the index: what SQLite does there, up to a quarter of a second at a time, holds up no
// sound and no window.

const { answer, rest, close } = answerIndexCalls(workerData as IndexPlace);

function answerTo(ask: IndexRequest['ask']): Outcome<unknown> {
  if (ask === 'rest') return { ok: true, value: rest() };
  if (ask !== 'close') return answer(ask);
  close();
  return { ok: true, value: undefined };
}

parentPort?.on('message', ({ id, ask }: IndexRequest) => {
  const said: IndexAnswer = { id, outcome: answerTo(ask) };
  parentPort?.postMessage(said, []);
});
