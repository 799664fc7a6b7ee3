import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppContext } from '../app/app-context.ts';
import { useAppContext } from '../app/use-app-context.ts';
import './tape-drop.css';

/** A tape may be dropped anywhere in the window; while one hangs over it, the page says what will be done. */
export function TapeDrop() {
  const { t } = useTranslation();
  const app = useAppContext();
  const [over, setOver] = useState(false);
  useEffect(() => watchDrops(app, setOver), [app]);
  if (!over) return null;
  const text = app.actions.replay.dropsOpen ? 'replay.drop.here' : 'replay.drop.browser';
  return (
    <div className="tape-drop" role="status">
      <p>{t(text)}</p>
    </div>
  );
}

function watchDrops({ store, actions }: AppContext, setOver: (over: boolean) => void): () => void {
  const leaving = new AbortController();
  // Before the place under it takes it for one of its own.
  const options = { signal: leaving.signal, capture: true };
  window.addEventListener(
    'dragenter',
    ({ dataTransfer }) => {
      if (dataTransfer === null) return;
      const elsewhere = actions.replay.dropsOpen || store.getState().screen !== 'chat';
      setOver(elsewhere && mayBeTape([...dataTransfer.items]));
    },
    options,
  );
  window.addEventListener(
    'dragleave',
    ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false);
    },
    options,
  );
  window.addEventListener(
    'drop',
    (event) => {
      setOver(false);
      const { dataTransfer } = event;
      if (dataTransfer === null || !actions.replay.dropsOpen) return;
      const items = [...dataTransfer.items];
      const [file] = dataTransfer.files;
      if (file === undefined || !mayBeTape(items)) return;
      const folder = items[0]?.webkitGetAsEntry()?.isDirectory ?? false;
      // In Chat what is no tape is a file like any other, and Chat says what becomes of it.
      const inChat = store.getState().screen === 'chat';
      if (inChat && !isTapeLike({ name: file.name, folder })) return;
      event.preventDefault();
      event.stopPropagation();
      void actions.replay.openDropped(file);
    },
    options,
  );
  return () => leaving.abort();
}

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
