import { Hand, Maximize2, Mic, MicOff, X } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaptionedTurn } from '../../shared/talk/caption-patch.ts';
import { isTalkOver, type TalkState } from '../../shared/talk/talk-state.ts';
import { PlaceBoundary } from '../app/place-boundary.tsx';
import { RecoveryNotice } from '../app/shell-notices.tsx';
import { useActions, useAppContext, useUiState } from '../app/use-app-context.ts';
import { useAppearance } from '../app/use-appearance.ts';
import { Button, IconButton } from '../design/button.tsx';
import { errorText } from '../i18n/error-text.ts';
import { clockTime, useCountdown } from '../i18n/time-text.ts';
import { useWindowKeydown } from '../keys/use-window-keydown.ts';
import { CaptionLiveRegion } from '../talk/captions/caption-live-region.tsx';
import {
  type CaptionParts,
  toCaptionParts,
  sliceCaptionParts,
  CaptionText,
} from '../talk/captions/caption-text.tsx';
import { CaptureMark } from '../talk/session-bar.tsx';
import {
  EndButton,
  InterruptButton,
  MuteButton,
  PushToTalkButton,
  ResumeButton,
  WaitButton,
} from '../talk/talk-buttons.tsx';
import { endingTitle } from '../talk/talk-ending.ts';
import { useTalkKeys } from '../talk/talk-keys.ts';
import { VoiceWaveform } from '../talk/voice-waveform.tsx';
import './mini.css';

/** A talk in a small window that stays on top of others. */
export function MiniWindow() {
  const { t } = useTranslation();
  const { readWindows } = useActions();
  useAppearance();
  useTalkKeys();
  useCloseKey();
  useEffect(() => void readWindows(), [readWindows]);
  return (
    <Tooltip.Provider delayDuration={400}>
      <main className="mini" aria-label={t('mini.title')}>
        <h1 className="only-heard">{t('mini.title')}</h1>
        <MiniHeader />
        <PlaceBoundary>
          <RecoveryNotice />
          <MiniStage />
          <CaptionLiveRegion />
          <VoiceWaveform />
          <MiniDock />
        </PlaceBoundary>
      </main>
    </Tooltip.Provider>
  );
}

/** As other windows close; a window without a frame has no menu to do it by. */
function useCloseKey(): void {
  const { closeMini } = useActions();
  useWindowKeydown((event) => {
    if (event.key.toLowerCase() !== 'w' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!event.repeat) void closeMini();
  });
}

/** Where the talk stands and who speaks; what is not a button here is what the window is dragged by. */
function MiniHeader() {
  const { t } = useTranslation();
  const { showMain, closeMini } = useActions();
  const phase = useUiState(({ talkState }) => talkState.value.phase);
  const paused = useUiState(({ controls }) => controls.paused);
  const muted = useUiState(({ controls }) => controls.muted);
  const floor = useUiState(({ floor }) => floor);
  const last = useUiState(({ windows }) => windows?.main === false && windows.stays !== true);
  const live = phase === 'live';
  const state = live && paused ? t('talk.paused') : t(`talk.phases.${phase}`);
  return (
    <div className="mini-head hint">
      <p className="session-state" data-phase={phase} data-paused={paused}>
        <span role="status">{state}</span>
        {live && !paused && (
          <span className="session-floor">
            {muted ? t('talk.mutedShort') : t(`talk.floors.${floor}`)}
          </span>
        )}
        <CaptureMark />
      </p>
      <div className="mini-tools">
        <IconButton icon={Maximize2} label={t('mini.expand')} onClick={() => void showMain()} />
        <IconButton
          icon={X}
          label={t(last ? 'mini.closeLast' : 'buttons.close')}
          onClick={() => void closeMini()}
        />
      </div>
    </div>
  );
}

/** Of the controls, those that one needs while something else is being done. */
function MiniDock() {
  const { t } = useTranslation();
  const phase = useUiState(({ talkState }) => talkState.value.phase);
  return (
    <section className="mini-dock" aria-label={t('talk.controls')}>
      {phase === 'live' && <Live />}
      {isTalkOver(phase) && <Begin />}
      {(phase === 'connecting' || phase === 'queued' || phase === 'reconnecting') && (
        <WaitButton queued={phase === 'queued'} />
      )}
    </section>
  );
}

function Live() {
  const { t } = useTranslation();
  const { setMuted, interrupt } = useActions();
  const { muted, paused, talking } = useUiState(({ controls }) => controls);
  return (
    <>
      {/* The largest is what one needs now: the way back from silence, the key to talk with, or a word to be had. */}
      {paused && <ResumeButton kind="plain" />}
      {!paused && talking !== 'open' && <PushToTalkButton />}
      {!paused && talking === 'open' && muted && (
        <Button icon={<MicOff aria-hidden />} onClick={() => void setMuted(false)}>
          {t('talk.unmute')}
        </Button>
      )}
      {!paused &&
        (talking === 'open' && !muted ? (
          <Button icon={<Hand aria-hidden />} onClick={() => void interrupt()}>
            {t('settings.rows.keys.interrupt.name')}
          </Button>
        ) : (
          <InterruptButton />
        ))}
      {(talking !== 'open' || paused || !muted) && <MuteButton />}
      <EndButton />
    </>
  );
}

function Begin() {
  const { t } = useTranslation();
  const { start, continueTalk: goOn } = useActions();
  const state = useUiState(({ talkState }) => talkState.value);
  const begin = (): void => void start('audio');
  if (state.phase !== 'ended' || state.offer !== 'continue')
    return (
      <Button kind="strong" icon={<Mic aria-hidden />} onClick={begin}>
        {t('talk.start')}
      </Button>
    );
  return (
    <>
      <Button kind="strong" onClick={() => void goOn('transcript')}>
        {t('talk.ended.goOn')}
      </Button>
      <IconButton icon={Mic} label={t('talk.ended.anew')} onClick={begin} />
    </>
  );
}

/** Two lines of the mini window; a letter of Chinese is as wide as two of Latin. */
const maxColumns = 84;
const sentenceEnd = /[.!?。！？…]["'”’）)]*\s*$/u;

/** A mark, what closes after it, and spaces; more of them than this are no end of a sentence. */
const maxSentenceEnd = 24;

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Of a turn, the two lines that are being said: they stand until the next two begin, as subtitles do. */
export type VisibleCue = (turn: CaptionedTurn) => CaptionParts;

/** For turns that grow: where cues begin is not looked for again in what was there before. */
export function createVisibleCue(): VisibleCue {
  let known = { turn: -1, text: '', starts: [0] as readonly number[] };
  return (turn) => {
    const parts = toCaptionParts(turn);
    const { heard, coming, cut } = parts;
    const text = heard + coming + cut;
    if (text !== known.text || turn.turn !== known.turn) {
      const grown = turn.turn === known.turn && text.startsWith(known.text);
      // The last was found in what had no end yet.
      const starts = findCueStarts(text, grown ? known.starts.slice(0, -1) : []);
      known = { turn: turn.turn, text, starts };
    }
    const { starts } = known;
    // Where everything was heard, the last words stay.
    const at = Math.min(heard.length, Math.max(0, text.length - 1));
    const from = starts.findLast((start) => start <= at) ?? 0;
    const to = starts.find((start) => start > at) ?? text.length;
    return sliceCaptionParts(parts, from, to);
  };
}

/** Where each cue begins: after a sentence where that leaves it half full, else between words. */
export function findCueStarts(text: string, known: readonly number[] = []): readonly number[] {
  const begin = known.at(-1) ?? 0;
  const starts = [...known.slice(0, -1), begin];
  let columns = 0;
  let from = begin;
  let sentence = begin;
  let word = begin;
  for (const { segment, index: within } of wordSegmenter.segment(text.slice(begin))) {
    const index = begin + within;
    const wide = columnsOf(segment);
    if (columns + columnsOf(segment.trimEnd()) > maxColumns && index > from) {
      const halfFull = columnsOf(text.slice(from, sentence)) > maxColumns / 2;
      const next = halfFull ? sentence : Math.max(word, from + 1);
      starts.push(next);
      from = next;
      columns = columnsOf(text.slice(next, index));
    }
    columns += wide;
    const end = index + segment.length;
    word = end;
    if (sentenceEnd.test(text.slice(Math.max(from, end - maxSentenceEnd), end))) sentence = end;
  }
  return starts;
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text)
    columns += /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(letter)
      ? 2
      : 1;
  return columns;
}

/** Two lines: what is wrong, or else what is being said, or else how it stands. */
function MiniStage() {
  return (
    <div className="mini-stage">
      <StandInNotice />
      <Trouble />
      <Lines />
    </div>
  );
}

function Trouble() {
  const { t } = useTranslation();
  const { dismissProblem, dismissTrouble } = useActions();
  const problem = useUiState(({ problem }) => problem);
  const trouble = useUiState(({ troubles }) => troubles.at(-1));
  const live = useUiState(({ talkState }) => talkState.value.phase === 'live');
  const microphone = useUiState(({ devices }) => devices.microphone);
  const lost = live && microphone.kind === 'lost' ? microphone : undefined;
  const sentence = said();
  return (
    <div className="mini-trouble" role="status">
      {sentence !== undefined && <p dir="auto">{sentence}</p>}
      {(problem ?? trouble) !== undefined && (
        <IconButton
          icon={X}
          label={t('shell.dismiss')}
          onClick={() => {
            if (problem !== undefined) dismissProblem();
            else if (trouble !== undefined) dismissTrouble(trouble);
          }}
        />
      )}
    </div>
  );

  function said(): string | undefined {
    if (problem !== undefined) return errorText(t, problem);
    if (trouble !== undefined) return errorText(t, trouble);
    return lost && errorText(t, lost.error);
  }
}

function Lines() {
  const state = useUiState(({ talkState }) => talkState.value);
  const turn = useUiState(({ captions }) => captions.at(-1));
  const [visibleCue] = useState(createVisibleCue);
  const { t } = useTranslation();
  if (state.phase !== 'live') return <Standing state={state} />;
  if (turn === undefined) return <p className="mini-lines mini-soft">{t('talk.captions.none')}</p>;
  return (
    <p className="mini-lines" dir="auto">
      <CaptionText {...visibleCue(turn)} />
    </p>
  );
}

/** In words, what the large window says with a card. */
function Standing({ state }: { readonly state: Exclude<TalkState, { phase: 'live' }> }) {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const at = useUiState(({ talkState }) => talkState.at);
  const seconds =
    state.phase === 'queued'
      ? state.etaSeconds
      : state.phase === 'reconnecting'
        ? state.inMs / 1000
        : undefined;
  const left = useCountdown(seconds, at, now);
  return (
    <>
      <p className="mini-lines mini-soft">{words()}</p>
      {state.phase === 'ended' && state.ending.by !== 'client' && (
        <p className="mini-what-to-do hint" dir="auto">
          {errorText(t, state.ending.error)}
        </p>
      )}
    </>
  );

  function words(): string {
    switch (state.phase) {
      case 'idle':
        return t('talk.idle.title');
      case 'connecting':
        return t('talk.connecting.title');
      case 'queued': {
        if (state.position === undefined) return t('talk.queue.unknown');
        const place = t('mini.place', { position: state.position });
        if (left === undefined) return place;
        return `${place} · ${left === 0 ? t('talk.queue.soon') : t('talk.queue.eta', { time: clockTime(left) })}`;
      }
      case 'reconnecting':
        return errorText(t, state.error);
      case 'ending':
        return t('talk.ending.title');
      case 'ended':
        return t(`talk.ended.${endingTitle(state.ending, state.offer)}`);
    }
  }
}

const key = 'parley.mini-understood';

/** Said once: that a talk goes on in here although the large window was closed. */
function StandInNotice() {
  const { t } = useTranslation();
  const away = useUiState(({ windows }) => windows?.main === false);
  const stays = useUiState(({ windows }) => windows?.stays === true);
  const talking = useUiState(({ talkState }) => !isTalkOver(talkState.value.phase));
  const [understood, setUnderstood] = useState(() => localStorage.getItem(key) !== null);
  if (!away || !talking || understood) return null;
  return (
    <div className="mini-event" role="status">
      <p>{t(stays ? 'mini.standsInKept' : 'mini.standsIn')}</p>
      <Button
        onClick={() => {
          localStorage.setItem(key, 'true');
          setUnderstood(true);
        }}
      >
        {t('mini.understood')}
      </Button>
    </div>
  );
}
