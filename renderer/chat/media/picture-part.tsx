import { useTranslation } from 'react-i18next';
import { PictureThumb } from '../../parts/picture-thumb.tsx';
import { useMediaUrl } from './use-media-url.ts';

/** A picture of a message. */
export function PicturePart({ media }: { readonly media: string }) {
  const { t } = useTranslation();
  return <PictureThumb found={useMediaUrl(media)} name={t('chat.media.picture')} />;
}
