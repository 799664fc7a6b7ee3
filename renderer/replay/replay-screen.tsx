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
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReplayOrigin, replaySpeeds } from '../../shared/recordings/replay-view.ts';
import { isTalkOver } from '../../shared/talk/talk-state.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { Button, IconButton, PlainIconButton } from '../design/button.tsx';
import { Menu, MenuChoice } from '../design/menu.tsx';
import { errorText } from '../i18n/error-text.ts';
import { clockTime } from '../i18n/time-text.ts';
import { keyName } from '../keys/window-keys.ts';
import { CaptionLiveRegion } from '../talk/captions/caption-live-region.tsx';
import { SessionBar } from '../talk/session-bar.tsx';
import { Stage } from '../talk/stage.tsx';
import { TalkNotes } from '../talk/talk-notes.tsx';
import { VoiceWaveform } from '../talk/voice-waveform.tsx';
import { captionPlaceAt } from './caption-place.ts';
import { ExamplesMenu } from './examples-menu.tsx';
import { replayKeySigns, useReplayKeys } from './replay-keys.ts';
import { isAtEnd } from './replay-store.ts';
import { JumpRegion, ReplayTimeline } from './replay-timeline.tsx';
import { ReplayedTalk, useOpenReplay } from './replayed-talk.tsx';
import { PictureCache, SeenPicture } from './tape-picture.tsx';
import '../talk/talk-screen.css';
import '../talk/stage.css';
import '../talk/dock.css';
import '../talk/capture/capture.css';
import './replay.css';

/** A tape that is played again: the Talk screen as it was then, and below it the whole of the talk. */
export function ReplayScreen() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const kind = useUiState(({ replay }) => replay.kind);
  // Whoever goes elsewhere comes back to it as it was left.
  useEffect(() => () => void replay.pause(), [replay]);
  if (kind === 'none') return <main />;
  return (
    <main className="talk replay" aria-label={t('places.replay')}>
      <ReplayHeader />
      <TalkGoesOn />
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

/** Says at once that this is no talk that goes on, and which one it was. */
function ReplayHeader() {
  const { t, i18n } = useTranslation();
  const { replay, exporting } = useActions();
  const open = useUiState(({ replay }) => replay.kind === 'open');
  const origin = useUiState(({ replay }) => (replay.kind === 'none' ? undefined : replay.origin));
  const began = useOpenReplay(({ facts }) => facts.recordedAt) ?? '';
  const title = useOpenReplay(({ facts }) => facts.title);
  const when = recordedAt(t, began, i18n.language);
  const what = title ?? originName(t, origin, when);
  return (
    <header className="replay-head">
      <h1 className="replay-title">
        <span className="replay-mark">{t('places.replay')}</span>
        {what !== undefined && <span dir="auto">{what}</span>}
        {title !== undefined && when !== undefined && <span className="replay-when">{when}</span>}
      </h1>
      {open && (
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

/** Nothing where the tape does not say, or says nonsense. */
function recordedAt(t: TFunction, iso: string, language: string): string | undefined {
  const began = Date.parse(iso);
  if (Number.isNaN(began)) return undefined;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(began);
  const clock = { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' } as const;
  const time = new Intl.DateTimeFormat(language, clock).format(began);
  return t('replay.recordedAt', { day, time });
}

/** What was seen of the talk, by the very parts that show one, and the whole of it to go about in. */
function OpenReplayBody() {
  const { i18n } = useTranslation();
  const { replay } = useActions();
  const [pictures] = useState(() => new PictureCache(replay.picture));
  useReplayKeys(i18n.language);
  return (
    <>
      <ReplayedTalk>
        <SessionBar />
        <div
          className="stage"
          onClick={({ clientX, clientY }) => {
            // Words that were marked by hand are meant to be copied.
            if (document.getSelection()?.isCollapsed === false) return;
            const place = captionPlaceAt(clientX, clientY);
            if (place !== undefined) void replay.seekWord(place.turn, place.letter);
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
      <JumpRegion />
    </>
  );
}

/** What the person should know of the replay itself; most of the time nothing. */
function ReplayNotes() {
  const { t } = useTranslation();
  const sound = useOpenReplay(({ play }) => play.sound);
  const ended = useOpenReplay(isAtEnd) ?? false;
  const cut = useOpenReplay(({ facts }) => facts.cut) ?? false;
  const damage = useOpenReplay(({ facts }) => facts.damage);
  // Nothing went wrong with it, and who watches wants to know at once.
  const stretch = damage?.code === 'tapeIsStretch';
  return (
    <div className="notes" role="status">
      {stretch && (
        <p className="note" data-kind="plain">
          {t('replay.stretch')}
        </p>
      )}
      {ended && !stretch && (cut || damage !== undefined) && (
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

/** A talk that goes on meanwhile is told of here, because none of it is seen. It has the sound for itself. */
function TalkGoesOn() {
  const { t } = useTranslation();
  const { go } = useActions();
  const goesOn = useUiState(({ talkState }) => !isTalkOver(talkState.value.phase));
  if (!goesOn) return null;
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

/** In one row below the timeline: what is done to a replay, and where it is. */
function ReplayControls() {
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

function StopMenu() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const stop = useUiState(({ replayStop }) => replayStop);
  const names = t('replay.stops', { returnObjects: true });
  return (
    <Menu side="top" trigger={<PlainIconButton icon={ListFilter} label={t('replay.stop')} />}>
      <MenuChoice name={t('replay.stop')} value={stop} choices={names} choose={replay.setStop} />
    </Menu>
  );
}
