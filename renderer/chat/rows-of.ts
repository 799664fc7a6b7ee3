import type { ConversationHead, SearchHit } from '../../shared/chat/chat-list.ts';
import type { ChatSearch } from '../store/chat-view.ts';

interface RowGroup {
  readonly name: 'pinned' | 'recent' | 'found';
  readonly rows: readonly SearchHit[];
}

/** What stands in the list. What was renamed, pinned or deleted since the search shows as it is now. */
export function rowsOf(
  list: readonly ConversationHead[],
  { query, hits }: ChatSearch,
): readonly RowGroup[] {
  if (query.trim() !== '') return filled([{ name: 'found', rows: asTheyAreNow(hits ?? [], list) }]);
  const rows = list.map((head) => ({ ...head, excerpt: '' }));
  return filled([
    { name: 'pinned', rows: rows.filter(({ pinned }) => pinned) },
    { name: 'recent', rows: rows.filter(({ pinned }) => !pinned) },
  ]);
}

function asTheyAreNow(
  hits: readonly SearchHit[],
  list: readonly ConversationHead[],
): readonly SearchHit[] {
  const heads = new Map(list.map((head) => [head.id, head]));
  return hits.flatMap(({ id, excerpt }) => {
    const head = heads.get(id);
    return head === undefined ? [] : [{ ...head, excerpt }];
  });
}

function filled(groups: readonly RowGroup[]): readonly RowGroup[] {
  return groups.filter(({ rows }) => rows.length > 0);
}
