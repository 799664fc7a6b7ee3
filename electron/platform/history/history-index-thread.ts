import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { HistoryIndex } from '../../recordings/history/history-index.ts';
import type { IndexCall, IndexPlace } from './index-store.ts';

/** After two threads that failed to start or died, the index runs in this thread. */
const maxThreads = 2;

/** An idle thread ends after this time. It holds 8 MB and restarts quickly. */
const defaultIdleMs = 60_000;

/** Opens a folder's index on first use: in a worker thread if `entry` exists, otherwise in this one. */
export function openHistoryIndex(
  folder: string,
  entry: string | undefined,
  idleMs = defaultIdleMs,
): HistoryIndex {
  let opened: IndexBackend | undefined;
  let threads = 0;
  let asked = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let suspending: Promise<void> | undefined;
  let wasOnDisk = false;
  const open = (): IndexBackend => {
    const place = { folder, wasOnDisk };
    if (entry === undefined || threads >= maxThreads || !existsSync(entry))
      return indexInThisThread(place);
    threads += 1;
    return indexInThread(place, entry, () => {
      opened = undefined;
      wasOnDisk = false;
    });
  };
  const suspend = async (backend: IndexBackend): Promise<void> => {
    const suspended = await backend.call({ name: 'suspend', input: undefined });
    if (!suspended.ok || suspended.value !== true) return;
    await backend.end();
    threads -= 1;
    wasOnDisk = true;
    opened = undefined;
  };
  const call = async <Name extends Exclude<keyof HistoryIndex, 'close'>>(
    name: Name,
    ...[input]: Parameters<HistoryIndex[Name]>
  ): Promise<Awaited<ReturnType<HistoryIndex[Name]>>> => {
    asked += 1;
    clearTimeout(idle);
    try {
      await suspending;
      opened ??= open();
      // The types on both sides match names and inputs.
      return (await opened.call({ name, input } as IndexCall)) as Awaited<
        ReturnType<HistoryIndex[Name]>
      >;
    } finally {
      asked -= 1;
      if (asked === 0) {
        idle = setTimeout(() => {
          if (opened?.canSuspend === true) suspending = suspend(opened);
        }, idleMs);
        // The timer must not keep the process alive.
        idle.unref();
      }
    }
  };
  return {
    known: () => call('known'),
    put: (entries) => call('put', entries),
    remove: (refs) => call('remove', refs),
    find: (query) => call('find', query),
    clear: () => call('clear'),
    bytes: () => call('bytes'),
    close: async () => {
      clearTimeout(idle);
      await suspending;
      await opened?.call({ name: 'close', input: undefined });
      await opened?.end();
    },
  };
}

/** Answers calls one at a time. */
interface IndexBackend {
  /** Whether suspending frees resources. */
  readonly canSuspend: boolean;
  readonly call: (call: IndexCall) => Promise<Outcome<unknown>>;
  readonly end: () => Promise<void>;
}

/** Imports SQLite only here: it takes 17 MB and stays loaded. */
function indexInThisThread(place: IndexPlace): IndexBackend {
  const open = async () => {
    const { callIndexStore, IndexStore } = await import('./index-store.ts');
    const store = new IndexStore(place);
    return (call: IndexCall) => callIndexStore(store, call);
  };
  const opened = open();
  return {
    canSuspend: false,
    call: async (call) => (await opened)(call),
    end: () => Promise.resolve(),
  };
}

export interface IndexRequest {
  readonly id: number;
  readonly call: IndexCall;
}

export interface IndexAnswer {
  readonly id: number;
  readonly outcome: Outcome<unknown>;
}

/** Runs the index in a worker; `died` is called once if the worker ends without a request. */
function indexInThread(place: IndexPlace, entry: string, died: () => void): IndexBackend {
  const worker = new Worker(entry, { workerData: place });
  // The thread must not keep the process alive.
  worker.unref();
  const waiting = new Map<number, (outcome: Outcome<unknown>) => void>();
  let sent = 0;
  let over = false;
  const end = (detail: string): void => {
    if (!over) died();
    over = true;
    const lost = failure('historyIndexLost', {}, { detail });
    for (const answer of waiting.values()) answer(lost);
    waiting.clear();
  };
  worker.on('message', ({ id, outcome }: IndexAnswer) => {
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  });
  worker.on('error', (error) => {
    end(String(error));
  });
  worker.on('exit', () => {
    end('its worker thread ended');
  });
  return {
    canSuspend: true,
    call: (call) => {
      if (over)
        return Promise.resolve(failure('historyIndexLost', {}, { detail: 'it was closed' }));
      sent += 1;
      const request: IndexRequest = { id: sent, call };
      return new Promise((resolve) => {
        waiting.set(request.id, resolve);
        worker.postMessage(request, []);
      });
    },
    end: async () => {
      over = true;
      await worker.terminate();
    },
  };
}
