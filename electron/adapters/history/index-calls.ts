import type { HistoryIndex } from '../../ports/history-index.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { IndexKeeper } from './index-keeper.ts';

/** What is asked of the index, as it goes to its thread. */
export type IndexCall = {
  readonly [Name in Exclude<keyof HistoryIndex, 'close'>]: {
    readonly name: Name;
    readonly input: Parameters<HistoryIndex[Name]>[0];
  };
}[Exclude<keyof HistoryIndex, 'close'>];

/** Where the index is, and what is known of it when its thread begins. */
export interface IndexPlace {
  readonly folder: string;
  /** It was in a file when it rested: one that is not there any more is told as lost. */
  readonly wasKept: boolean;
}

/** Answers calls in the thread that it is made in. */
export function answerIndexCalls({ folder, wasKept }: IndexPlace) {
  const keeper = new IndexKeeper(folder, wasKept);
  return {
    answer: (call: IndexCall): Outcome<unknown> => {
      switch (call.name) {
        case 'known':
          return keeper.isMissing ? none : keeper.use((database) => database.known());
        case 'put':
          return keeper.use((database) => {
            database.put(call.input);
          });
        case 'remove':
          return keeper.isMissing
            ? done
            : keeper.use((database) => {
                database.remove(call.input);
              });
        case 'find':
          return keeper.use((database) => database.find(call.input));
        case 'clear':
          return keeper.clear();
        case 'bytes':
          return { ok: true, value: keeper.bytes };
      }
    },
    rest: () => keeper.rest(),
    close: () => {
      keeper.close();
    },
  };
}

const none = { ok: true, value: [] } as const;
const done = { ok: true, value: undefined } as const;
