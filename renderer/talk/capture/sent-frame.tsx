import { useTranslation } from 'react-i18next';
import { useUiState } from '../../store/use-app-context.ts';
import { JpegPicture } from './jpeg-picture.tsx';

/** The very frame that has gone to the model. */
export function SentFrame() {
  const { t } = useTranslation();
  const frame = useUiState(({ sentFrame }) => sentFrame);
  if (frame === undefined) return <p>{t('talk.capture.notYet')}</p>;
  return <JpegPicture jpeg={frame.jpeg} alt={t('talk.capture.shown')} />;
}

/** What it took. */
export function SentFrameFacts() {
  const { t } = useTranslation();
  const facts = useUiState(({ sentFrame }) => sentFrame?.facts);
  const inspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  if (facts === undefined) return null;
  const { width, height, bytes, tokens, counted } = facts;
  const size = Math.max(1, Math.round(bytes / 1024));
  const known = counted === true ? 'counted' : 'facts';
  return (
    <p className="capture-note">
      {inspecting
        ? t(`talk.capture.${known}`, { width, height, size, tokens })
        : t('aroundTalk.pictureFacts', { width, height, size })}
    </p>
  );
}
