import { parentPort, workerData } from 'node:worker_threads';
import type { IndexAnswer, IndexRequest } from './history-index-thread.ts';
import { callKeeper, IndexKeeper, type IndexPlace } from './index-keeper.ts';

// The entry of the thread that holds the index: what SQLite does there, up to a quarter of a second at a time, holds up no
// sound and no window.

const keeper = new IndexKeeper(workerData as IndexPlace);

parentPort?.on('message', ({ id, call }: IndexRequest) => {
  const answer: IndexAnswer = { id, outcome: callKeeper(keeper, call) };
  parentPort?.postMessage(answer, []);
});
