interface Stroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** So many rows make a page. */
const pageOfRows = 8;

/** What has the keys in a row, by its place in the list. */
export function rowButton(index: number): string {
  return `[data-index="${index}"] .kept-open`;
}

/** To which row a key leads from that one; nothing where it is none of these keys. */
export function rowWanted(
  { key, ctrlKey, metaKey, altKey }: Stroke,
  from: number,
  count: number,
): number | undefined {
  if (ctrlKey || metaKey || altKey || count === 0) return undefined;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + pageOfRows,
    PageUp: from - pageOfRows,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}

/** The row whose button has the keyboard; a menu and a field in a row have keys of their own. */
export function rowOf(target: EventTarget): number | undefined {
  if (!(target instanceof Element) || !target.matches('.kept-open')) return undefined;
  const row = target.closest<HTMLElement>('[data-index]');
  return row === null ? undefined : Number(row.dataset['index']);
}
