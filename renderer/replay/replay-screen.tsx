import type { TFunction } from 'i18next';
import {
  Download,
  ListFilter,
  Pause,
  Play,
  RotateCcw,
  SkipBack,
  SkipForward,
  X,
} from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReplayOrigin, replaySpeeds } from '../../shared/recordings/replay-view.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { isTalkRunning } from '../app/ui-state.ts';
import { Button, IconButton, PlainIconButton } from '../design/controls.tsx';
import { Menu, MenuChoice } from '../design/layers.tsx';
import { errorText, formatClock, formatTime } from '../i18n/format.ts';
import { keyName } from '../keys/window-keys.ts';
import { CaptionLiveRegion } from '../talk/captions/caption-live-region.tsx';
import { SessionBar } from '../talk/session-bar.tsx';
import { Stage } from '../talk/stage.tsx';
import { TalkNotes } from '../talk/talk-notes.tsx';
import { VoiceWaveform } from '../talk/voice-waveform.tsx';
import { ExamplesMenu } from './examples-menu.tsx';
import { captionPositionAt, replayKeySigns, useReplayKeys } from './replay-keys.ts';
import { isAtEnd } from './replay-actions.ts';
import { SeekLiveRegion, ReplayTimeline } from './replay-timeline.tsx';
import { ReplayedTalk, useOpenReplay } from './replayed-talk.tsx';
import { PictureCache, SeenPicture } from './tape-picture.tsx';
import '../talk/talk-screen.css';
import '../talk/stage.css';
import '../talk/dock.css';
import '../talk/capture/capture.css';
import './replay.css';

export function ReplayScreen() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const kind = useUiState(({ replay }) => replay.kind);
  // Pauses on leaving, so that the user can return to the same place.
  useEffect(() => () => void replay.pause(), [replay]);
  if (kind === 'none') return <main />;
  return (
    <main className="talk replay" aria-label={t('places.replay')}>
      <ReplayHeader />
      <RunningTalkNotice />
      {kind === 'opening' && (
        <p className="replay-opening" role="status">
          {t('replay.opening')}
        </p>
      )}
      {kind === 'failed' && <ReplayFailed />}
      {kind === 'open' && <OpenReplayBody />}
    </main>
  );
}

function ReplayHeader() {
  const { t, i18n } = useTranslation();
  const { replay, exporting } = useActions();
  const isOpen = useUiState(({ replay }) => replay.kind === 'open');
  const origin = useUiState(({ replay }) => (replay.kind === 'none' ? undefined : replay.origin));
  const recordedIso = useOpenReplay(({ facts }) => facts.recordedAt) ?? '';
  const title = useOpenReplay(({ facts }) => facts.title);
  const when = recordedAtText(t, recordedIso, i18n.language);
  const what = title ?? originName(t, origin, when);
  return (
    <header className="replay-head">
      <h1 className="replay-title">
        <span className="replay-mark">{t('places.replay')}</span>
        {what !== undefined && <span dir="auto">{what}</span>}
        {title !== undefined && when !== undefined && <span className="replay-when">{when}</span>}
      </h1>
      {isOpen && (
        <IconButton
          icon={Download}
          label={t('export.action')}
          onClick={() => void exporting.open({ kind: 'replay' }, what ?? t('places.replay'))}
        />
      )}
      <IconButton
        icon={X}
        label={t('replay.close')}
        hint={replayKeySigns.close}
        onClick={() => void replay.close()}
      />
    </header>
  );
}

function originName(
  t: TFunction,
  origin: ReplayOrigin | undefined,
  when: string | undefined,
): string | undefined {
  if (origin?.kind === 'example') return t(`replay.examples.${origin.example}.name`);
  return when ?? (origin?.kind === 'file' ? origin.name : undefined);
}

/** Undefined if the tape has no valid date. */
export function recordedAtText(t: TFunction, iso: string, language: string): string | undefined {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return undefined;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(time);
  return t('replay.recordedAt', { day, time: formatTime(time, language) });
}

function OpenReplayBody() {
  const { i18n } = useTranslation();
  const { replay } = useActions();
  const facts = useOpenReplay(({ facts }) => facts);
  // Each recording has its own pictures, and another may open before this one is seen to close.
  const pictures = useMemo(() => facts && new PictureCache(replay.picture), [replay, facts]);
  useReplayKeys(i18n.language);
  if (pictures === undefined) return null;
  return (
    <>
      <ReplayedTalk>
        <SessionBar />
        <div
          className="stage"
          onClick={({ clientX, clientY }) => {
            // A selection is for copying, so the click does not seek.
            if (document.getSelection()?.isCollapsed === false) return;
            const position = captionPositionAt(clientX, clientY);
            if (position !== undefined) void replay.seekWord(position.turn, position.offset);
          }}
        >
          <Stage />
          <SeenPicture pictures={pictures} />
        </div>
        <CaptionLiveRegion />
        <TalkNotes />
        <VoiceWaveform />
      </ReplayedTalk>
      <ReplayNotes />
      <ReplayTimeline pictures={pictures} />
      <ReplayControls />
      <SeekLiveRegion />
    </>
  );
}

function ReplayNotes() {
  const { t } = useTranslation();
  const sound = useOpenReplay(({ play }) => play.sound);
  const ended = useOpenReplay(isAtEnd) ?? false;
  const cut = useOpenReplay(({ facts }) => facts.cut) ?? false;
  const damage = useOpenReplay(({ facts }) => facts.damage);
  // A section of a talk is not damaged, so its note appears from the start, and warnings of damage only at the end.
  const isStretch = damage?.code === 'tapeIsStretch';
  return (
    <div className="notes" role="status">
      {isStretch && (
        <p className="note" data-kind="plain">
          {t('replay.stretch')}
        </p>
      )}
      {ended && !isStretch && (cut || damage !== undefined) && (
        <p className="note" data-kind="warn">
          {damage === undefined ? t('replay.cut') : errorText(t, damage)}
        </p>
      )}
      {sound !== undefined && sound !== 'heard' && (
        <p className="note" data-kind="plain">
          {t(`replay.sounds.${sound}`)}
        </p>
      )}
    </div>
  );
}

/** A running talk is not visible here, so a notice says that the talk continues. The talk keeps the sound. */
function RunningTalkNotice() {
  const { t } = useTranslation();
  const { go } = useActions();
  const isRunning = useUiState(isTalkRunning);
  if (!isRunning) return null;
  return (
    <div className="replay-talk" role="status">
      <p>{t('replay.talkGoesOn')}</p>
      <Button onClick={() => go('talk')}>{t('replay.toTalk')}</Button>
    </div>
  );
}

function ReplayFailed() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const error = useUiState(({ replay }) => (replay.kind === 'failed' ? replay.error : undefined));
  return (
    <div className="stage">
      <div className="card" role="alert">
        <h1>{t('replay.failed.title')}</h1>
        {error !== undefined && <p dir="auto">{errorText(t, error)}</p>}
        <p className="card-soft">{t('replay.failed.text')}</p>
        <div className="card-buttons button-row">
          <Button kind="strong" onClick={() => void replay.close()}>
            {t('replay.failed.back')}
          </Button>
          <ExamplesMenu />
        </div>
      </div>
    </div>
  );
}

function ReplayControls() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const isPlaying = useOpenReplay(({ play }) => play.playing) ?? false;
  const ended = useOpenReplay(isAtEnd) ?? false;
  const canRestart = ended && !isPlaying;
  const label = canRestart ? 'again' : 'play';
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
          icon={isPlaying ? Pause : canRestart ? RotateCcw : Play}
          label={t(isPlaying ? 'replay.pause' : `replay.${label}`)}
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

function ReplayTime() {
  const { t } = useTranslation();
  const time = useOpenReplay(({ play }) => formatClock(play.at / 1000)) ?? '';
  const length = useOpenReplay(({ timeline }) => formatClock(timeline.lengthMs / 1000)) ?? '';
  return (
    <p className="replay-time">
      <span className="visually-hidden">{t('replay.position', { time, length })}</span>
      <span aria-hidden>
        <b>{time}</b> <span className="replay-length">{length}</span>
      </span>
    </p>
  );
}

/** The key begins with a letter, because an object lists keys that are whole numbers before all others. */
const speedKey = (speed: number): string => `x${speed}`;

/** The speeds from the slowest to the fastest. */
export function speedChoices(text: (speed: number) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(replaySpeeds.map((speed) => [speedKey(speed), text(speed)]));
}

function SpeedMenu() {
  const { t, i18n } = useTranslation();
  const { replay } = useActions();
  const speed = useOpenReplay(({ play }) => play.speed) ?? 1;
  const text = (option: number): string =>
    t('replay.times', { speed: new Intl.NumberFormat(i18n.language).format(option) });
  const choices = speedChoices(text);
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
        value={speedKey(speed)}
        choices={choices}
        onChoose={(chosen) => {
          const speed = replaySpeeds.find((option) => speedKey(option) === chosen);
          if (speed !== undefined) void replay.setSpeed(speed);
        }}
      />
    </Menu>
  );
}

function StopMenu() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const stop = useUiState(({ replayStop }) => replayStop);
  const names = t('replay.stops', { returnObjects: true });
  return (
    <Menu side="top" trigger={<PlainIconButton icon={ListFilter} label={t('replay.stop')} />}>
      <MenuChoice name={t('replay.stop')} value={stop} choices={names} onChoose={replay.setStop} />
    </Menu>
  );
}
