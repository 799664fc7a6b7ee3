import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useView } from '../store/use-desk.ts';

/** The very frame that has gone to the model, with what it took. */
export function SeenFrame() {
  const { t } = useTranslation();
  const frame = useView(({ sentFrame }) => sentFrame);
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (frame === undefined || picture.current === null) return undefined;
    const made = URL.createObjectURL(
      new Blob([new Uint8Array(frame.jpeg)], { type: 'image/jpeg' }),
    );
    picture.current.src = made;
    return () => {
      URL.revokeObjectURL(made);
    };
  }, [frame]);
  if (frame === undefined) return <p>{t('talk.eye.notYet')}</p>;
  const { width, height, bytes, tokens } = frame.facts;
  const size = Math.max(1, Math.round(bytes / 1024));
  return (
    <figure>
      <img ref={picture} alt={t('talk.eye.shown')} />
      <figcaption>{t('talk.eye.facts', { width, height, size, tokens })}</figcaption>
    </figure>
  );
}
