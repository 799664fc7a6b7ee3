import { existsSync } from 'node:fs';
import type { HistoryIndex } from '../../ports/history-index.ts';
import type { IndexCall, IndexPlace } from './index-calls.ts';
import { indexInThread } from './index-thread.ts';
import type { IndexLine } from './index-thread.ts';

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
    if (!(await line.rest())) return;
    threads -= 1;
    wasKept = true;
    opened = undefined;
  };
  const call = async <Name extends IndexCall['name']>(
    name: Name,
    input: Extract<IndexCall, { name: Name }>['input'],
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
          if (opened !== undefined) resting = rest(opened);
        }, idleMs);
        // It is no reason for a program to stay.
        idle.unref();
      }
    }
  };
  return {
    known: () => call('known', undefined),
    put: (entries) => call('put', entries),
    remove: (refs) => call('remove', refs),
    find: (query) => call('find', query),
    clear: () => call('clear', undefined),
    bytes: () => call('bytes', undefined),
    close: async () => {
      clearTimeout(idle);
      await resting;
      await opened?.close();
    },
  };
}

/** SQLite is loaded then only: it takes 17 MB, which are of no use beside a thread that has it. */
function inPlace(place: IndexPlace): IndexLine {
  const open = async () => {
    const { answerIndexCalls } = await import('./index-calls.ts');
    return answerIndexCalls(place);
  };
  const opened = open();
  return {
    call: async (call) => {
      const { answer } = await opened;
      return answer(call);
    },
    // What is loaded here stays loaded.
    rest: () => Promise.resolve(false),
    close: async () => {
      const { close } = await opened;
      close();
    },
  };
}
