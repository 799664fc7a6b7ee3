import type { ChatSearchHit, ChatSummary } from '../../shared/chat/chat-thread.ts';
import type { ChatSearch } from './chat-ui-state.ts';

interface RowGroup {
  readonly name: 'pinned' | 'recent' | 'found';
  readonly rows: readonly ChatSearchHit[];
}

/** What stands in the list. What was renamed, pinned or deleted since the search shows as it is now. */
export function historyGroups(
  list: readonly ChatSummary[],
  { query, hits }: ChatSearch,
): readonly RowGroup[] {
  if (query.trim() !== '') return filled([{ name: 'found', rows: asTheyAreNow(hits ?? [], list) }]);
  const rows = list.map((head) => ({ ...head, excerpt: '' }));
  return filled([
    { name: 'pinned', rows: rows.filter(({ pinned }) => pinned) },
    { name: 'recent', rows: rows.filter(({ pinned }) => !pinned) },
  ]);
}

/** As many of them as are to be drawn. */
export function withFirstRows(groups: readonly RowGroup[], count: number): readonly RowGroup[] {
  let left = count;
  const first = groups.map(({ name, rows }) => {
    const shown = rows.slice(0, left);
    left -= shown.length;
    return { name, rows: shown };
  });
  return filled(first);
}

function asTheyAreNow(
  hits: readonly ChatSearchHit[],
  list: readonly ChatSummary[],
): readonly ChatSearchHit[] {
  const heads = new Map(list.map((head) => [head.id, head]));
  return hits.flatMap(({ id, excerpt }) => {
    const head = heads.get(id);
    return head === undefined ? [] : [{ ...head, excerpt }];
  });
}

function filled(groups: readonly RowGroup[]): readonly RowGroup[] {
  return groups.filter(({ rows }) => rows.length > 0);
}

/** The time of something today, the day of what is older; the year where it is another one. */
export function formatWhen(at: number, language: string, now = Date.now()): string {
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) {
    return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(then);
  }
  const year = then.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', ...year }).format(then);
}
