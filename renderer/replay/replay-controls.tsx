import { ListFilter, Pause, Play, RotateCcw, SkipBack, SkipForward } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { replaySpeeds, replayStops } from '../../shared/recordings/replay-view.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { IconButton } from '../design/button.tsx';
import { Menu, MenuChoice } from '../design/menu.tsx';
import { clockTime } from '../i18n/time-text.ts';
import { keyName } from '../keys/window-keys.ts';
import { replayKeySigns } from './replay-keys.ts';
import { isAtEnd, useOpenReplay } from './use-open-replay.ts';

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

/** How fast, with what it is at the moment on its button. */
function SpeedMenu() {
  const { t, i18n } = useTranslation();
  const { replay } = useActions();
  const speed = useOpenReplay(({ play }) => play.speed) ?? 1;
  const text = (one: number): string =>
    t('replay.times', { speed: new Intl.NumberFormat(i18n.language).format(one) });
  const choices: Readonly<Record<string, string>> = Object.fromEntries(
    replaySpeeds.map((one) => [`${one}`, text(one)]),
  );
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className="button"
          data-kind="plain"
          aria-label={t('replay.speedIs', { speed: text(speed) })}
        >
          {text(speed)}
        </button>
      }
    >
      <MenuChoice
        name={t('replay.speed')}
        value={`${speed}`}
        choices={choices}
        choose={(chosen) => {
          const wanted = replaySpeeds.find((one) => `${one}` === chosen);
          if (wanted !== undefined) void replay.setSpeed(wanted);
        }}
      />
    </Menu>
  );
}

/** What the steps go to. */
function StopMenu() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const stop = useUiState(({ replayStop }) => replayStop);
  const names = t('replay.stops', { returnObjects: true });
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="icon-button" aria-label={t('replay.stop')}>
          <ListFilter strokeWidth={1.75} aria-hidden />
        </button>
      }
    >
      <MenuChoice
        name={t('replay.stop')}
        value={stop}
        choices={names}
        choose={(chosen) => {
          const wanted = replayStops.find((one) => one === chosen);
          if (wanted !== undefined) replay.setStop(wanted);
        }}
      />
    </Menu>
  );
}
