import type { DataFolder, DataFolderItem } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { StoredDataLocation } from './privacy-handlers.ts';

type FolderNamed = (name: string) => DataFolder;

/** The engine keeps what it wrote when a process died in one of these, as it pleases. */
const crashFolders = ['crashes/new', 'crashes/pending', 'crashes/completed', 'crashes/reports'];

/** What Parley has written down of itself: its log. What follows is written down anew. */
export function logsLocation(folderNamed: FolderNamed): StoredDataLocation {
  const folder = folderNamed('logs');
  return {
    path: folder.path,
    measure: () => measureAll([folder], ({ name }) => name.endsWith('.log')),
    clear: () => removeAll([folder]),
  };
}

/** Memory of processes that have died: it may hold anything that they knew, and leaves this machine by no way. */
export function crashesLocation(folderNamed: FolderNamed): StoredDataLocation {
  const folders = crashFolders.map(folderNamed);
  return {
    path: folderNamed('crashes').path,
    measure: () => measureAll(folders, ({ name }) => name.endsWith('.dmp')),
    clear: () => removeAll(folders),
  };
}

export async function measureAll(
  folders: readonly DataFolder[],
  counts: (item: DataFolderItem) => boolean,
): Promise<Outcome<{ readonly count: number; readonly bytes: number }>> {
  const lists = await Promise.all(folders.map((folder) => folder.list()));
  const items: DataFolderItem[] = [];
  for (const list of lists) {
    if (!list.ok) return list;
    items.push(...list.value);
  }
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  return { ok: true, value: { count: items.filter(counts).length, bytes } };
}

export async function removeAll(folders: readonly DataFolder[]): Promise<Outcome<undefined>> {
  const removed = await Promise.all(folders.map(removeItems));
  return removed.find(({ ok }) => !ok) ?? { ok: true, value: undefined };
}

async function removeItems(folder: DataFolder): Promise<Outcome<undefined>> {
  const items = await folder.list();
  if (!items.ok) return items;
  const removed = await Promise.all(items.value.map(({ name }) => folder.remove(name)));
  return removed.find(({ ok }) => !ok) ?? { ok: true, value: undefined };
}
