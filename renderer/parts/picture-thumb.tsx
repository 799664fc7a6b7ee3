import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import './picture.css';
import { PictureView } from './picture-view.tsx';
import type { BlobUrl } from './use-blob-url.ts';

interface Props {
  readonly found: BlobUrl;
  /** What is heard of it. */
  readonly name: string;
  /** Where it is known: its place does not change when it comes. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** A picture in small; a click shows all of it. */
export function PictureThumb({ found, name, size }: Props) {
  const { t } = useTranslation();
  const url = found?.kind === 'there' ? found.url : undefined;
  const [open, setOpen] = useState(false);
  if (found?.kind === 'gone') return <p className="media-gone">{t('chat.media.gone')}</p>;
  return (
    <>
      <button
        type="button"
        className="picture"
        aria-label={size === undefined ? t('chat.media.view') : name}
        style={size && { aspectRatio: `${size.width} / ${size.height}` }}
        onClick={() => {
          setOpen(url !== undefined);
        }}
      >
        {url !== undefined && <img src={url} alt={name} />}
      </button>
      {open && url !== undefined && <PictureView url={url} setOpen={setOpen} />}
    </>
  );
}
