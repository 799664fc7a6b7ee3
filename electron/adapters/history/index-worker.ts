import { parentPort, workerData } from 'node:worker_threads';
import { answerIndexCalls } from './index-calls.ts';
import type { IndexCall } from './index-calls.ts';

// The entry of the thread that holds the index: what SQLite does there, up to a quarter of a second at a time, holds up no
// sound and no window.

interface Message {
  readonly id: number;
  /** The end where there is none. */
  readonly call?: IndexCall | undefined;
}

const { answer, close } = answerIndexCalls(String(workerData));

parentPort?.on('message', ({ id, call }: Message) => {
  if (call === undefined) close();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage({ id, outcome: call === undefined ? done : answer(call) });
});

const done = { ok: true, value: undefined } as const;
