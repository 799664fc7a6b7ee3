import type { HistorySize } from '../../shared/history/history-item.ts';
import type { HistoryIndex } from '../ports/history-index.ts';
import type { DataFolder } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import { measureAll } from './trace-locations.ts';

export interface SizedFolders {
  readonly talks: DataFolder;
  readonly chats: DataFolder;
  readonly tapes: DataFolder;
}

/** How much is kept of each kind; what the index takes is counted with the talks. */
export async function historySizes(
  { talks, chats, tapes }: SizedFolders,
  index: Pick<HistoryIndex, 'bytes'>,
): Promise<Outcome<readonly HistorySize[]>> {
  const sizes: HistorySize[] = [];
  const folders = [
    ['talk', talks],
    ['chat', chats],
    ['tape', tapes],
  ] as const;
  const indexed = await index.bytes();
  for (const [kind, folder] of folders) {
    const measured = await measureAll([folder], () => true);
    if (!measured.ok) return measured;
    const { count, bytes } = measured.value;
    const more = kind === 'talk' && indexed.ok ? indexed.value : 0;
    sizes.push({ kind, place: folder.path, count, bytes: bytes + more });
  }
  return { ok: true, value: sizes };
}
