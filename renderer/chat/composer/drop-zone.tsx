import { useRef, useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../../store/use-app-context.ts';

/** The open conversation, on which files may be dropped wherever it is. */
export function DropZone({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const [over, setOver] = useState(false);
  // Going from one element to another within fires both: only the last way out is one.
  const depth = useRef(0);

  const step = (by: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  return (
    <section
      className="chat-open"
      onDragEnter={step(1)}
      onDragLeave={step(-1)}
      onDragOver={(event) => {
        if (hasFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        depth.current = 0;
        setOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        void chat.attachFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {over && <p className="chat-drop">{t('chat.composer.drop')}</p>}
    </section>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files');
}
