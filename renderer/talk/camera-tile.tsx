import { Snowflake } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usualSeeing } from '../../shared/vision/seeing-settings.ts';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import { SeenFrame } from './seen-frame.tsx';

/** What is shown to the model: the live picture, mirrored as people know themselves, or what it saw. */
export function CameraTile() {
  const { t } = useTranslation();
  const { setFrozen } = useActions();
  const eye = useView(({ eye }) => eye);
  const frozen = useView(({ frozen }) => frozen);
  const [seen, setSeen] = useState(false);
  if (eye.state === 'off') return null;
  const showSeen = (next: boolean) => (): void => {
    setSeen(next);
  };
  return (
    <section className="eye" aria-label={t('talk.eye.name')}>
      <div className="eye-picture">
        {seen && <SeenFrame />}
        {!seen && eye.state === 'open' && <LivePicture stream={eye.stream} frozen={frozen} />}
        {!seen && eye.state === 'opening' && <p>{t('talk.eye.opening')}</p>}
        {!seen && eye.state === 'lost' && <p role="alert">{t(`talk.eye.lost.${eye.reason}`)}</p>}
      </div>
      <div className="eye-controls">
        <div className="eye-sides">
          <button type="button" aria-pressed={!seen} onClick={showSeen(false)}>
            {t('talk.eye.live')}
          </button>
          <button type="button" aria-pressed={seen} onClick={showSeen(true)}>
            {t('talk.eye.seen')}
          </button>
        </div>
        <IconButton
          icon={Snowflake}
          label={t(frozen ? 'talk.eye.unfreeze' : 'talk.eye.freeze')}
          data-held={frozen}
          onClick={() => {
            setFrozen(!frozen);
          }}
        />
      </div>
      {frozen && <p className="eye-note">{t('talk.eye.frozen')}</p>}
    </section>
  );
}

interface LiveProps {
  readonly stream: MediaStream;
  readonly frozen: boolean;
}

function LivePicture({ stream, frozen }: LiveProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    if (element.srcObject !== stream) element.srcObject = stream;
    if (frozen) element.pause();
    // Rejects where the stream has just ended, and then there is nothing to play.
    else element.play().catch(() => undefined);
  }, [stream, frozen]);
  return <video ref={video} data-mirror={usualSeeing.mirror} muted playsInline />;
}
