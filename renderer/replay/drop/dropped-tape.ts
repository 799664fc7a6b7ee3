/** What the drop tells while something hangs over the page: kinds and types, no names. */
type DraggedItem = Pick<DataTransferItem, 'kind' | 'type'>;

/** Folders and tapes have no type of their own; pictures and sounds have one, and belong into Chat. */
export function mayBeTape(items: readonly DraggedItem[]): boolean {
  const files = items.filter(({ kind }) => kind === 'file');
  const [file] = files;
  if (file === undefined || files.length > 1) return false;
  return !/^(image|audio|video|text|font)\//u.test(file.type) && file.type !== 'application/pdf';
}

export interface DroppedItem {
  readonly name: string;
  readonly folder: boolean;
}

/** By its name: its folder, the file of its lines, or all of it in one file. */
export function isTapeLike({ name, folder }: DroppedItem): boolean {
  return folder || /(\.parleytape|\.ndjson)$/iu.test(name);
}
