import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PictureView } from './picture-view.tsx';
import { useMediaUrl } from './use-media-url.ts';

/** A picture in small; a click shows all of it. */
export function PicturePart({ media }: { readonly media: string }) {
  const { t } = useTranslation();
  const found = useMediaUrl(media);
  const url = found?.kind === 'there' ? found.url : undefined;
  const [open, setOpen] = useState(false);
  if (found?.kind === 'gone') return <p className="media-gone">{t('chat.media.gone')}</p>;
  return (
    <>
      <button
        type="button"
        className="picture"
        aria-label={t('chat.media.view')}
        onClick={() => {
          setOpen(url !== undefined);
        }}
      >
        {url !== undefined && <img src={url} alt={t('chat.media.picture')} />}
      </button>
      {open && url !== undefined && <PictureView url={url} setOpen={setOpen} />}
    </>
  );
}
