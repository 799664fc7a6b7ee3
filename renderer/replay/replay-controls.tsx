import { Pause, Play, RotateCcw, SkipBack, SkipForward } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { keyName } from '../keys/key-name.ts';
import { useActions } from '../store/use-app-context.ts';
import { clockTime } from '../talk/use-countdown.ts';
import { SpeedMenu } from './speed-menu.tsx';
import { StopMenu } from './stop-menu.tsx';
import { replayKeySigns } from './replay-keys.ts';
import { isAtEnd } from './replay-place.ts';
import { useOpenReplay } from './use-open-replay.ts';

/** In one row below the timeline: what is done to a replay, and where it is. */
export function ReplayControls() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const playing = useOpenReplay(({ play }) => play.playing) ?? false;
  const ended = useOpenReplay(isAtEnd) ?? false;
  const again = ended && !playing;
  const label = again ? 'again' : 'play';
  return (
    <section className="replay-controls" aria-label={t('replay.controls')}>
      <ReplayTime />
      <div className="replay-buttons">
        <IconButton
          icon={SkipBack}
          label={t('replay.previous')}
          hint={replayKeySigns.previous}
          onClick={() => void replay.step('previous')}
        />
        <IconButton
          icon={playing ? Pause : again ? RotateCcw : Play}
          label={t(playing ? 'replay.pause' : `replay.${label}`)}
          hint={keyName(replayKeySigns.toggle, t('keys', { returnObjects: true }))}
          data-strong
          onClick={() => void replay.toggle()}
        />
        <IconButton
          icon={SkipForward}
          label={t('replay.next')}
          hint={replayKeySigns.next}
          onClick={() => void replay.step('next')}
        />
      </div>
      <div className="replay-choices">
        <StopMenu />
        <SpeedMenu />
      </div>
    </section>
  );
}

/** Drawn anew once a second. */
function ReplayTime() {
  const { t } = useTranslation();
  const time = useOpenReplay(({ play }) => clockTime(play.at / 1000)) ?? '';
  const length = useOpenReplay(({ timeline }) => clockTime(timeline.lengthMs / 1000)) ?? '';
  return (
    <p className="replay-time">
      <span className="only-heard">{t('replay.position', { time, length })}</span>
      <span aria-hidden>
        <b>{time}</b> <span className="replay-length">{length}</span>
      </span>
    </p>
  );
}
