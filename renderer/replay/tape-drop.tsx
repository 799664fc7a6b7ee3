import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AppContext, useAppContext } from '../app/app-context.ts';
import './tape-drop.css';

/** Accepts tapes dropped anywhere in the window, and shows a hint during the drag. */
export function TapeDrop() {
  const { t } = useTranslation();
  const app = useAppContext();
  const [isDragOver, setDragOver] = useState(false);
  useEffect(() => watchDrops(app, setDragOver), [app]);
  if (!isDragOver) return null;
  const text = app.actions.replay.dropsOpen ? 'replay.drop.here' : 'replay.drop.browser';
  return (
    <div className="tape-drop" role="status">
      <p>{t(text)}</p>
    </div>
  );
}

function watchDrops(
  { store, actions }: AppContext,
  setDragOver: (isOver: boolean) => void,
): () => void {
  const listening = new AbortController();
  // In the capture phase, these listeners run before those of the drop zones in the window.
  const options = { signal: listening.signal, capture: true };
  window.addEventListener(
    'dragenter',
    ({ dataTransfer }) => {
      if (dataTransfer === null) return;
      const acceptsTapes = actions.replay.dropsOpen || store.getState().screen !== 'chat';
      setDragOver(acceptsTapes && mayBeTape([...dataTransfer.items]));
    },
    options,
  );
  window.addEventListener(
    'dragleave',
    ({ relatedTarget }) => {
      if (relatedTarget === null) setDragOver(false);
    },
    options,
  );
  window.addEventListener(
    'drop',
    (event) => {
      setDragOver(false);
      const { dataTransfer } = event;
      if (dataTransfer === null || !actions.replay.dropsOpen) return;
      const items = [...dataTransfer.items];
      const [file] = dataTransfer.files;
      if (file === undefined || !mayBeTape(items)) return;
      const folder = items[0]?.webkitGetAsEntry()?.isDirectory ?? false;
      // On the Chat screen, other files belong to Chat.
      const inChat = store.getState().screen === 'chat';
      if (inChat && !isTapeLike({ name: file.name, folder })) return;
      event.preventDefault();
      event.stopPropagation();
      void actions.replay.openDropped(file);
    },
    options,
  );
  return () => listening.abort();
}

/** During a drag, browsers reveal only kinds and types, no names. */
type DraggedItem = Pick<DataTransferItem, 'kind' | 'type'>;

/** Folders and tapes have no MIME type; pictures and sounds have one and belong to Chat. */
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

export function isTapeLike({ name, folder }: DroppedItem): boolean {
  return folder || /(\.parleytape|\.ndjson)$/iu.test(name);
}
