import { useEffect, useState } from 'react';
import { JpegPicture } from '../talk/capture/jpeg-picture.tsx';
import type { PictureCache } from './picture-cache.ts';

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
