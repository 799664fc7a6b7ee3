import { useTranslation } from 'react-i18next';
import { useView } from '../store/use-desk.ts';
import { JpegPicture } from './jpeg-picture.tsx';

/** The very frame that has gone to the model. */
export function SeenFrame() {
  const { t } = useTranslation();
  const frame = useView(({ sentFrame }) => sentFrame);
  if (frame === undefined) return <p>{t('talk.eye.notYet')}</p>;
  return <JpegPicture jpeg={frame.jpeg} alt={t('talk.eye.shown')} />;
}

/** What it took. */
export function SeenFacts() {
  const { t } = useTranslation();
  const facts = useView(({ sentFrame }) => sentFrame?.facts);
  if (facts === undefined) return null;
  const { width, height, bytes, tokens } = facts;
  const size = Math.max(1, Math.round(bytes / 1024));
  return <p className="eye-note">{t('talk.eye.facts', { width, height, size, tokens })}</p>;
}
