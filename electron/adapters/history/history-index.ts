import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { failure } from '../../../shared/errors/app-error.ts';
import type { HistoryIndex } from '../../ports/history-index.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { IndexCall } from './index-calls.ts';

interface Line {
  readonly call: (call: IndexCall) => Promise<Outcome<unknown>>;
  readonly close: () => Promise<void>;
}

/** One that cannot begin here, or died twice, is not tried again: the index is held in this thread then. */
const maxThreads = 2;

/** The index of a folder, opened when it is first asked; in a thread of its own where there is the entry of one; else in this thread. */
export function openHistoryIndex(folder: string, entry: string | undefined): HistoryIndex {
  let opened: Line | undefined;
  let threads = 0;
  const open = (): Line => {
    if (entry === undefined || threads >= maxThreads || !existsSync(entry)) return inPlace(folder);
    threads += 1;
    return inThread(folder, entry, () => {
      opened = undefined;
    });
  };
  const line = (): Line => (opened ??= open());
  const call = async <Name extends IndexCall['name']>(
    name: Name,
    input: Extract<IndexCall, { name: Name }>['input'],
  ): Promise<Awaited<ReturnType<HistoryIndex[Name]>>> =>
    // What belongs to which name is said by the types of both ends.
    (await line().call({ name, input } as IndexCall)) as Awaited<ReturnType<HistoryIndex[Name]>>;
  return {
    known: () => call('known', undefined),
    put: (entries) => call('put', entries),
    remove: (refs) => call('remove', refs),
    find: (query) => call('find', query),
    clear: () => call('clear', undefined),
    bytes: () => call('bytes', undefined),
    close: async () => {
      await opened?.close();
    },
  };
}

/** SQLite is loaded then only: it takes 17 MB, which are of no use beside a thread that has it. */
function inPlace(folder: string): Line {
  const open = async () => {
    const { answerIndexCalls } = await import('./index-calls.ts');
    return answerIndexCalls(folder);
  };
  const opened = open();
  return {
    call: async (call) => {
      const { answer } = await opened;
      return answer(call);
    },
    close: async () => {
      const { close } = await opened;
      close();
    },
  };
}

interface Answer {
  readonly id: number;
  readonly outcome: Outcome<unknown>;
}

function inThread(folder: string, entry: string, ended: () => void): Line {
  const worker = new Worker(entry, { workerData: folder });
  // It is no reason for a program to stay.
  worker.unref();
  const waiting = new Map<number, (outcome: Outcome<unknown>) => void>();
  let sent = 0;
  let over = false;
  const end = (detail: string): void => {
    if (!over) ended();
    over = true;
    const lost = failure('historyIndexLost', {}, { detail });
    for (const answer of waiting.values()) answer(lost);
    waiting.clear();
  };
  worker.on('message', ({ id, outcome }: Answer) => {
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  });
  worker.on('error', (error) => {
    end(String(error));
  });
  worker.on('exit', () => {
    end('its thread has ended');
  });
  const call = (call: IndexCall | undefined): Promise<Outcome<unknown>> => {
    if (over) return Promise.resolve(failure('historyIndexLost', {}, { detail: 'it has ended' }));
    sent += 1;
    const id = sent;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      worker.postMessage({ id, call });
    });
  };
  return {
    call,
    close: async () => {
      await call(undefined);
      over = true;
      await worker.terminate();
    },
  };
}
