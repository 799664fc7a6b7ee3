import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CloseButton } from './controls.tsx';
import { useRestoreFocus } from './layers.tsx';
import './picture-thumb.css';

interface Props {
  readonly blob: BlobUrl;
  readonly name: string;
  /** Reserves the space before the picture loads. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** A thumbnail; a click opens the full picture. */
export function PictureThumb({ blob, name, size }: Props) {
  const { t } = useTranslation();
  const url = blob?.kind === 'loaded' ? blob.url : undefined;
  const [open, setOpen] = useState(false);
  if (blob?.kind === 'missing') return <p className="hint">{t('chat.media.gone')}</p>;
  return (
    <>
      <button
        type="button"
        className="picture"
        aria-label={size === undefined ? t('chat.media.view') : name}
        style={size && { aspectRatio: `${size.width} / ${size.height}` }}
        onClick={() => setOpen(url !== undefined)}
      >
        {url !== undefined && <img src={url} alt={name} />}
      </button>
      {open && url !== undefined && <PictureView url={url} onClose={() => setOpen(false)} />}
    </>
  );
}

interface PictureViewProps {
  readonly url: string;
  readonly onClose: () => void;
}

/** The full picture over the page. A click, Escape or the button closes it. */
function PictureView({ url, onClose }: PictureViewProps) {
  const { t } = useTranslation();
  const restoreFocus = useRestoreFocus();
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Content
          className="picture-view"
          aria-describedby={undefined}
          onClick={onClose}
          {...restoreFocus}
        >
          <Dialog.Title className="visually-hidden">{t('chat.media.viewing')}</Dialog.Title>
          <img src={url} alt={t('chat.media.picture')} />
          <CloseButton label={t('buttons.close')} onClick={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Undefined while it loads. */
export type BlobUrl =
  | { readonly kind: 'loaded'; readonly url: string }
  | { readonly kind: 'missing' }
  | undefined;

/** An object URL while the component is mounted. A new `read` loads again, so keep it stable. */
export function useBlobUrl(read: () => Promise<Blob | undefined>): BlobUrl {
  const [url, setUrl] = useState<BlobUrl>();
  useEffect(() => {
    let isUnmounted = false;
    let created: string | undefined;
    const fetchBlob = async (): Promise<void> => {
      const loaded = await read();
      if (isUnmounted) return;
      if (loaded !== undefined) created = URL.createObjectURL(loaded);
      setUrl(created === undefined ? { kind: 'missing' } : { kind: 'loaded', url: created });
    };
    void fetchBlob();
    return () => {
      isUnmounted = true;
      if (created !== undefined) URL.revokeObjectURL(created);
    };
  }, [read]);
  return url;
}
