import { Pause, Play } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../app/app-context.ts';
import { Button } from '../design/controls.tsx';
import { type BlobUrl, PictureThumb, useBlobUrl } from '../design/picture-thumb.tsx';
import { formatClock } from '../i18n/format.ts';

// The sounds and pictures of chat messages. The core stores each under its `media` id.

export function ClipPart({ media, seconds }: { readonly media: string; readonly seconds: number }) {
  const { t } = useTranslation();
  const found = useMediaUrl(media);
  const sound = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const time = formatClock(Math.max(1, Math.round(seconds)));
  if (found?.kind === 'missing') return <p className="hint">{t('chat.media.gone')}</p>;
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
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
        />
      )}
    </>
  );
}

export function PicturePart({ media }: { readonly media: string }) {
  const { t } = useTranslation();
  return <PictureThumb blob={useMediaUrl(media)} name={t('chat.media.picture')} />;
}

const mimeTypes = { image: 'image/jpeg', audio: 'audio/wav' } as const;

function useMediaUrl(media: string): BlobUrl {
  const { chat } = useActions();
  const read = useCallback(async (): Promise<Blob | undefined> => {
    const found = await chat.media(media);
    return found && new Blob([new Uint8Array(found.file)], { type: mimeTypes[found.type] });
  }, [chat, media]);
  return useBlobUrl(read);
}
