import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { HistoryIndex } from '../../recordings/history/history-index.ts';
import type { IndexCall, IndexLocation } from './index-store.ts';

/** After two threads that failed to start or ended by themselves, the index runs in this thread. */
const maxThreads = 2;

/** An idle thread ends after this time. It holds 8 MB and restarts quickly. */
const defaultIdleMs = 60_000;

/**
 * Opens a folder's index when it is first needed. It runs in a worker thread if `entry` exists, and otherwise in this thread.
 * An index without a file is empty and stays closed, because each start asks for chats and talks, and SQLite takes nearly
 * half of a start's processor time.
 */
export function openHistoryIndex(
  folder: string,
  entry: string | undefined,
  idleMs = defaultIdleMs,
): HistoryIndex {
  const file = `${folder}/index.db`;
  let backend: IndexBackend | undefined;
  let threads = 0;
  let pendingCalls = 0;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let suspending: Promise<void> | undefined;
  let wasOnDisk = false;
  const isEmpty = (): boolean => backend === undefined && !wasOnDisk && !existsSync(file);
  const open = (): IndexBackend => {
    const location = { file, wasOnDisk };
    if (entry === undefined || threads >= maxThreads || !existsSync(entry))
      return indexInThisThread(location);
    threads += 1;
    return indexInThread(location, entry, () => {
      backend = undefined;
      wasOnDisk = false;
    });
  };
  const suspend = async (suspendable: IndexBackend): Promise<void> => {
    const bytes = await suspendable.call({ name: 'bytes', input: undefined });
    const suspended = await suspendable.call({ name: 'suspend', input: undefined });
    if (!suspended.ok || suspended.value !== true) return;
    await suspendable.end();
    threads -= 1;
    // An index that was not used yet, or was cleared, has no file.
    wasOnDisk = bytes.ok && bytes.value !== 0;
    backend = undefined;
  };
  const call = async <Name extends Exclude<keyof HistoryIndex, 'close'>>(
    name: Name,
    ...[input]: Parameters<HistoryIndex[Name]>
  ): Promise<Awaited<ReturnType<HistoryIndex[Name]>>> => {
    pendingCalls += 1;
    clearTimeout(idleTimer);
    try {
      await suspending;
      backend ??= open();
      // The casts are safe, because `IndexCall` pairs each name with its input and its result.
      return (await backend.call({ name, input } as IndexCall)) as Awaited<
        ReturnType<HistoryIndex[Name]>
      >;
    } finally {
      pendingCalls -= 1;
      if (pendingCalls === 0) {
        idleTimer = setTimeout(() => {
          if (backend?.canSuspend === true) suspending = suspend(backend);
        }, idleMs);
        // The timer must not keep the process alive.
        idleTimer.unref();
      }
    }
  };
  return {
    known: async () => (isEmpty() ? { ok: true, value: [] } : call('known')),
    put: (entries) => call('put', entries),
    remove: async (refs) => (isEmpty() ? done : call('remove', refs)),
    find: async (query) =>
      isEmpty() ? { ok: true, value: { items: [], total: 0 } } : call('find', query),
    clear: async () => (isEmpty() ? done : call('clear')),
    bytes: async () => (isEmpty() ? { ok: true, value: 0 } : call('bytes')),
    close: async () => {
      clearTimeout(idleTimer);
      await suspending;
      await backend?.call({ name: 'close', input: undefined });
      await backend?.end();
    },
  };
}

/** A store of the index that answers one call at a time. */
interface IndexBackend {
  /** Whether suspending frees resources. */
  readonly canSuspend: boolean;
  readonly call: (call: IndexCall) => Promise<Outcome<unknown>>;
  readonly end: () => Promise<void>;
}

/** Imports SQLite only here: it takes 17 MB and stays loaded. */
function indexInThisThread(location: IndexLocation): IndexBackend {
  const open = async () => {
    const { callIndexStore, IndexStore } = await import('./index-store.ts');
    const store = new IndexStore(location);
    return (call: IndexCall) => callIndexStore(store, call);
  };
  const backend = open();
  return {
    canSuspend: false,
    call: async (call) => (await backend)(call),
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

/** Runs the index in a worker. `onExit` is called once if the worker ends by itself. */
function indexInThread(location: IndexLocation, entry: string, onExit: () => void): IndexBackend {
  const worker = new Worker(entry, { workerData: location });
  // The thread must not keep the process alive.
  worker.unref();
  const pendingAnswers = new Map<number, (outcome: Outcome<unknown>) => void>();
  let lastId = 0;
  let hasEnded = false;
  const end = (detail: string): void => {
    if (!hasEnded) onExit();
    hasEnded = true;
    const indexLost = failure('historyIndexLost', {}, { detail });
    for (const answer of pendingAnswers.values()) answer(indexLost);
    pendingAnswers.clear();
  };
  worker.on('message', ({ id, outcome }: IndexAnswer) => {
    pendingAnswers.get(id)?.(outcome);
    pendingAnswers.delete(id);
  });
  worker.on('error', (error) => end(String(error)));
  worker.on('exit', () => end('its worker thread ended'));
  return {
    canSuspend: true,
    call: (call) => {
      if (hasEnded)
        return Promise.resolve(failure('historyIndexLost', {}, { detail: 'it was closed' }));
      lastId += 1;
      const request: IndexRequest = { id: lastId, call };
      return new Promise((resolve) => {
        pendingAnswers.set(request.id, resolve);
        worker.postMessage(request, []);
      });
    },
    end: async () => {
      hasEnded = true;
      await worker.terminate();
    },
  };
}
