import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { clockTime } from '../../talk/use-countdown.ts';
import { useMediaUrl } from './use-media-url.ts';

interface Props {
  readonly media: string;
  readonly seconds: number;
}

/** A recording in a message, to be heard again. */
export function ClipPart({ media, seconds }: Props) {
  const { t } = useTranslation();
  const found = useMediaUrl(media);
  const sound = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const time = clockTime(Math.max(1, Math.round(seconds)));
  if (found?.kind === 'gone') return <p className="media-gone">{t('chat.media.gone')}</p>;
  const toggle = (): void => {
    const element = sound.current;
    if (element === null) return;
    if (element.paused) void element.play().catch(() => undefined);
    else element.pause();
  };
  const Icon = playing ? Pause : Play;
  return (
    <>
      <Button
        icon={<Icon aria-hidden />}
        aria-label={t(playing ? 'chat.media.pause' : 'chat.media.play', { time })}
        onClick={toggle}
      >
        {time}
      </Button>
      {found !== undefined && (
        <audio
          ref={sound}
          src={found.url}
          onPlay={() => {
            setPlaying(true);
          }}
          onPause={() => {
            setPlaying(false);
          }}
        />
      )}
    </>
  );
}
