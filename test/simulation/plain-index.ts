import type { HistoryIndex, IndexEntry } from '../../electron/recordings/history/history-index.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import { done } from '../../shared/errors/app-error.ts';

const keyOf = ({ kind, id }: HistoryRef): string => `${kind} ${id}`;

/** The index of one process in memory only; a new process rebuilds it from the folders. */
export function plainIndex(): HistoryIndex {
  const entries = new Map<string, IndexEntry>();
  return {
    known: () =>
      Promise.resolve({
        ok: true,
        value: [...entries.values()].map(({ item: { kind, id }, version }) => ({
          kind,
          id,
          version,
        })),
      }),
    put: (given) => {
      for (const entry of given) entries.set(keyOf(entry.item), entry);
      return Promise.resolve(done);
    },
    remove: (refs) => {
      for (const ref of refs) entries.delete(keyOf(ref));
      return Promise.resolve(done);
    },
    find: ({ match, filter, talks, skip, count }) => {
      const items = [...entries.values()]
        .filter(({ item: { kind } }) => filter.kind === undefined || filter.kind === kind)
        .filter(({ item: { pinned } }) => filter.pinned !== true || pinned)
        .filter(({ item: { id } }) => talks?.includes(id) ?? true)
        .filter(({ words }) => match === undefined || holds(words, match))
        .map(({ item }) => item)
        .toSorted((one, other) => other.at - one.at);
      const value = { items: items.slice(skip, skip + count), total: items.length };
      return Promise.resolve({ ok: true, value });
    },
    clear: () => {
      entries.clear();
      return Promise.resolve(done);
    },
    bytes: () => Promise.resolve({ ok: true, value: 0 }),
    close: () => Promise.resolve(),
  };
}

/** Evaluates the part of the index's query language that Parley uses: required words or prefixes. */
function holds(words: string, match: string): boolean {
  return match.split(' AND ').every((term) => {
    const [, word = '', beginning] = /^"(.*)"(\*)?$/u.exec(term) ?? [];
    return ` ${words} `.includes(beginning === undefined ? ` ${word} ` : ` ${word}`);
  });
}
