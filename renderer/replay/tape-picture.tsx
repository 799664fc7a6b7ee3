import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { JpegPicture } from '../talk/capture/capture-picture.tsx';
import { useOpenReplay } from './replayed-talk.tsx';

/** In pictures, of about 50 kB each. */
const maxCached = 100;

export class PictureCache {
  readonly #load: (picture: number) => Promise<Uint8Array | undefined>;
  readonly #pictures = new Map<number, Promise<Uint8Array | undefined>>();

  constructor(load: (picture: number) => Promise<Uint8Array | undefined>) {
    this.#load = load;
  }

  get(picture: number): Promise<Uint8Array | undefined> {
    const loaded = this.#pictures.get(picture) ?? this.#load(picture);
    // Reinserted, so that the least recently used entry comes first.
    this.#pictures.delete(picture);
    this.#pictures.set(picture, loaded);
    const [oldest] = this.#pictures.keys();
    if (this.#pictures.size > maxCached && oldest !== undefined) this.#pictures.delete(oldest);
    return loaded;
  }
}

interface Props {
  readonly pictures: PictureCache;
  readonly picture: number;
  readonly alt: string;
}

/** One picture of the tape; the previous one stays until it is loaded. */
export function TapePicture({ pictures, picture, alt }: Props) {
  const [jpeg, setJpeg] = useState<Uint8Array>();
  useEffect(() => {
    let isUnmounted = false;
    const show = async (): Promise<void> => {
      const loaded = await pictures.get(picture);
      if (!isUnmounted) setJpeg(loaded);
    };
    void show();
    return () => {
      isUnmounted = true;
    };
  }, [pictures, picture]);
  return jpeg === undefined ? null : <JpegPicture jpeg={jpeg} alt={alt} />;
}

/** The picture that the model saw last, in the place of the camera. */
export function SeenPicture({ pictures }: { readonly pictures: PictureCache }) {
  const { t } = useTranslation();
  const picture = useOpenReplay(({ scene }) => scene.picture);
  if (picture === undefined) return null;
  return (
    <section className="capture hint" aria-label={t('replay.picture')}>
      <div className="capture-picture">
        <TapePicture pictures={pictures} picture={picture} alt={t('talk.capture.shown')} />
      </div>
    </section>
  );
}
