import { Check, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import type { ChatUiState } from '../../store/chat/chat-ui-state.ts';
import { useActions, useAppContext } from '../../store/use-app-context.ts';
import { clockTime } from '../../talk/use-countdown.ts';

/** Quieter than this nothing is shown of a sound. */
const quietestDb = -60;

interface Props {
  readonly clip: Exclude<ChatUiState['clip'], 'none'>;
}

/** Takes the place of the buttons while something is recorded. */
export function ClipBar({ clip }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const { clipLevels } = useAppContext();
  const [seconds, setSeconds] = useState(0);
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      clipLevels.subscribe(({ seconds, peakDb }) => {
        setSeconds(Math.floor(seconds));
        const share = Math.max(0, Math.min(1, 1 - peakDb / quietestDb));
        if (bar.current !== null) bar.current.style.transform = `scaleX(${share})`;
      }),
    [clipLevels],
  );
  return (
    <div className="clip-bar">
      <IconButton icon={X} label={t('chat.clip.cancel')} onClick={() => void chat.cancelClip()} />
      <p role="status">{t(`chat.clip.${clip}`)}</p>
      <span className="clip-time">{clockTime(seconds)}</span>
      <span className="clip-level" aria-hidden>
        <span ref={bar} />
      </span>
      <Button
        kind="strong"
        icon={<Check aria-hidden />}
        aria-disabled={clip === 'opening' || clip === 'attaching'}
        onClick={() => void chat.attachClip(t('chat.clip.name'))}
      >
        {t('chat.clip.attach')}
      </Button>
    </div>
  );
}
