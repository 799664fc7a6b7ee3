import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { JpegPicture } from '../talk/capture/capture-picture.tsx';
import { useOpenReplay } from './replayed-talk.tsx';

/** Pictures of about 50 kB each: as many as one looks at in a row. */
const most = 100;

/** A tape's pictures by their numbers, each asked for once. */
export class PictureCache {
  readonly #load: (picture: number) => Promise<Uint8Array | undefined>;
  readonly #pictures = new Map<number, Promise<Uint8Array | undefined>>();

  constructor(load: (picture: number) => Promise<Uint8Array | undefined>) {
    this.#load = load;
  }

  get(picture: number): Promise<Uint8Array | undefined> {
    const loaded = this.#pictures.get(picture) ?? this.#load(picture);
    // The one that was looked at last is the last to go.
    this.#pictures.delete(picture);
    this.#pictures.set(picture, loaded);
    const [oldest] = this.#pictures.keys();
    if (this.#pictures.size > most && oldest !== undefined) this.#pictures.delete(oldest);
    return loaded;
  }
}

interface Props {
  readonly pictures: PictureCache;
  readonly picture: number;
  readonly alt: string;
}

/** One picture of the tape; until the next one has come, the one before it stays. */
export function TapePicture({ pictures, picture, alt }: Props) {
  const [jpeg, setJpeg] = useState<Uint8Array>();
  useEffect(() => {
    let gone = false;
    const show = async (): Promise<void> => {
      const loaded = await pictures.get(picture);
      if (!gone) setJpeg(loaded);
    };
    void show();
    return () => {
      gone = true;
    };
  }, [pictures, picture]);
  return jpeg === undefined ? null : <JpegPicture jpeg={jpeg} alt={alt} />;
}

/** In the place of the camera: the picture that went to the model last. */
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
