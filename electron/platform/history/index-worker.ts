import { parentPort, workerData } from 'node:worker_threads';
import type { IndexAnswer, IndexRequest } from './history-index-thread.ts';
import { callIndexStore, IndexStore, type IndexLocation } from './index-store.ts';

// Entry of the index thread. SQLite calls take up to a quarter of a second, which must not block sound or windows.

const store = new IndexStore(workerData as IndexLocation);

parentPort?.on('message', ({ id, call }: IndexRequest) => {
  const answer: IndexAnswer = { id, outcome: callIndexStore(store, call) };
  parentPort?.postMessage(answer, []);
});
