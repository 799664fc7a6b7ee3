import { useTranslation } from 'react-i18next';
import type { PictureCache } from './picture-cache.ts';
import { TapePicture } from './tape-picture.tsx';
import { useOpenReplay } from './use-open-replay.ts';

/** In the place of the camera: the picture that went to the model last. */
export function SeenPicture({ pictures }: { readonly pictures: PictureCache }) {
  const { t } = useTranslation();
  const picture = useOpenReplay(({ scene }) => scene.picture);
  if (picture === undefined) return null;
  return (
    <section className="capture" aria-label={t('replay.picture')}>
      <div className="capture-picture">
        <TapePicture pictures={pictures} picture={picture} alt={t('talk.capture.shown')} />
      </div>
    </section>
  );
}
