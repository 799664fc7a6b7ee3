import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { HistoryIndex } from '../../recordings/history/history-index.ts';
import type { IndexCall, IndexPlace } from './index-keeper.ts';

/** One that cannot begin here, or died twice, is not tried again: the index is held in this thread then. */
const maxThreads = 2;

/** A thread that nobody asks for so long ends: it has 8 MB, and is there again in a moment. */
const restsAfterMs = 60_000;

/** The index of a folder, opened when it is first asked; in a thread of its own where there is the entry of one; else in this thread. */
export function openHistoryIndex(
  folder: string,
  entry: string | undefined,
  idleMs = restsAfterMs,
): HistoryIndex {
  let opened: IndexLine | undefined;
  let threads = 0;
  let asked = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let resting: Promise<void> | undefined;
  let wasKept = false;
  const open = (): IndexLine => {
    const place = { folder, wasKept };
    if (entry === undefined || threads >= maxThreads || !existsSync(entry)) return inPlace(place);
    threads += 1;
    return indexInThread(place, entry, () => {
      opened = undefined;
      wasKept = false;
    });
  };
  const rest = async (line: IndexLine): Promise<void> => {
    const rested = await line.call({ name: 'rest', input: undefined });
    if (!rested.ok || rested.value !== true) return;
    await line.end();
    threads -= 1;
    wasKept = true;
    opened = undefined;
  };
  const call = async <Name extends Exclude<keyof HistoryIndex, 'close'>>(
    name: Name,
    ...[input]: Parameters<HistoryIndex[Name]>
  ): Promise<Awaited<ReturnType<HistoryIndex[Name]>>> => {
    asked += 1;
    clearTimeout(idle);
    try {
      await resting;
      opened ??= open();
      // What belongs to which name is said by the types of both ends.
      return (await opened.call({ name, input } as IndexCall)) as Awaited<
        ReturnType<HistoryIndex[Name]>
      >;
    } finally {
      asked -= 1;
      if (asked === 0) {
        idle = setTimeout(() => {
          if (opened?.rests === true) resting = rest(opened);
        }, idleMs);
        // It is no reason for a program to stay.
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
      await resting;
      await opened?.call({ name: 'close', input: undefined });
      await opened?.end();
    },
  };
}

/** Where calls are answered, one after the other. */
interface IndexLine {
  /** Whether ending it gives anything back. */
  readonly rests: boolean;
  readonly call: (call: IndexCall) => Promise<Outcome<unknown>>;
  readonly end: () => Promise<void>;
}

/** SQLite is loaded then only: it takes 17 MB, which are of no use beside a thread that has it, and stays loaded. */
function inPlace(place: IndexPlace): IndexLine {
  const open = async () => {
    const { callKeeper, IndexKeeper } = await import('./index-keeper.ts');
    const keeper = new IndexKeeper(place);
    return (call: IndexCall) => callKeeper(keeper, call);
  };
  const opened = open();
  return {
    rests: false,
    call: async (call) => (await opened)(call),
    end: () => Promise.resolve(),
  };
}

/** To the thread. */
export interface IndexRequest {
  readonly id: number;
  readonly call: IndexCall;
}

/** From the thread. */
export interface IndexAnswer {
  readonly id: number;
  readonly outcome: Outcome<unknown>;
}

/** The index in a thread of its own; `died` is told once where it ends by itself. */
function indexInThread(place: IndexPlace, entry: string, died: () => void): IndexLine {
  const worker = new Worker(entry, { workerData: place });
  // It is no reason for a program to stay.
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
    end('its thread has ended');
  });
  return {
    rests: true,
    call: (call) => {
      if (over) return Promise.resolve(failure('historyIndexLost', {}, { detail: 'it has ended' }));
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
