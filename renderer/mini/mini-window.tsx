import { Hand, Maximize2, Mic, MicOff, TextCursorInput, Wrench, X } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { computerProfile } from '../../shared/settings/connection-settings.ts';
import { type CaptionedTurn, isTalkOver, type TalkState } from '../../shared/talk/talk-view.ts';
import { useActions, useAppContext, useUiState } from '../app/app-context.ts';
import { ErrorBoundary } from '../app/error-boundary.tsx';
import { RecoveryNotice } from '../app/shell-notices.tsx';
import { listeningText, runningState } from '../app/ui-state.ts';
import { useAppearance } from '../app/use-appearance.ts';
import { Button, IconButton, takeLostFocus } from '../design/controls.tsx';
import { errorText, modelWaitText, formatClock, useCountdown } from '../i18n/format.ts';
import { useWindowKeydown } from '../keys/window-keys.ts';
import { CaptionLiveRegion } from '../talk/captions/caption-live-region.tsx';
import {
  type CaptionParts,
  toCaptionParts,
  sliceCaptionParts,
  CaptionText,
} from '../talk/captions/caption-text.tsx';
import { TalkStateLine } from '../talk/session-bar.tsx';
import {
  EndButton,
  InterruptButton,
  MuteButton,
  PushToTalkButton,
  ResumeButton,
  CancelStartButton,
} from '../talk/talk-buttons.tsx';
import { endingTitle } from '../talk/talk-ui-state.ts';
import { useTalkKeys } from '../talk/talk-keys.ts';
import { RequestQuestion } from '../talk/talk-strip.tsx';
import { VoiceWaveform } from '../talk/voice-waveform.tsx';
import './mini.css';

export function MiniWindow() {
  const { t } = useTranslation();
  const { readWindows } = useActions();
  useAppearance(t('mini.title'));
  useTalkKeys();
  useCloseKey();
  useEffect(() => void readWindows(), [readWindows]);
  return (
    <Tooltip.Provider delayDuration={400}>
      <main className="mini" aria-label={t('mini.title')}>
        <h1 className="visually-hidden">{t('mini.title')}</h1>
        <MiniHeader />
        <ErrorBoundary>
          <RecoveryNotice />
          <MiniStage />
          <CaptionLiveRegion />
          <VoiceWaveform />
          <MiniDock />
        </ErrorBoundary>
      </main>
    </Tooltip.Provider>
  );
}

/** Ctrl+W closes the window, which has no frame and so no menu that would handle the key. */
function useCloseKey(): void {
  const { closeMini } = useActions();
  useWindowKeydown((event) => {
    if (event.key.toLowerCase() !== 'w' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!event.repeat) void closeMini();
  });
}

/** The talk's state and who speaks. The area outside the buttons drags the window. */
function MiniHeader() {
  const { t } = useTranslation();
  const { showMain, closeMini, quick, doRequest } = useActions();
  const canRequest = useUiState(
    ({ settings, talkState }) => settings?.tools.talks === true && talkState.value.phase === 'live',
  );
  const hasQuickAsk = useUiState(({ settings }) => settings?.cursor.enabled === true);
  const isLastWindow = useUiState(
    ({ windows }) => windows?.main === false && windows.staysRunning !== true,
  );
  return (
    <div className="mini-head hint">
      <TalkStateLine />
      <div className="mini-tools">
        {canRequest && (
          <IconButton
            icon={Wrench}
            label={t('settings.rows.keys.doRequest.name')}
            onClick={() => void doRequest()}
          />
        )}
        {hasQuickAsk && (
          <IconButton
            icon={TextCursorInput}
            label={t('cursor.title')}
            onClick={() => void quick.open()}
          />
        )}
        <IconButton icon={Maximize2} label={t('mini.expand')} onClick={() => void showMain()} />
        <IconButton
          icon={X}
          label={t(isLastWindow ? 'mini.closeLast' : 'buttons.close')}
          onClick={() => void closeMini()}
        />
      </div>
    </div>
  );
}

function MiniDock() {
  const { t } = useTranslation();
  const { phase } = useUiState(runningState);
  return (
    <section ref={takeLostFocus} className="mini-dock" aria-label={t('talk.controls')}>
      {phase === 'live' && <LiveControls />}
      {isTalkOver(phase) && <StartControls />}
      {(phase === 'connecting' || phase === 'queued' || phase === 'reconnecting') && (
        <CancelStartButton queued={phase === 'queued'} />
      )}
    </section>
  );
}

function LiveControls() {
  const { t } = useTranslation();
  const { setMuted, interrupt } = useActions();
  const { muted, paused, talking } = useUiState(({ controls }) => controls);
  return (
    <>
      {/* The largest button is the one needed now: Resume, push to talk, Unmute or Interrupt. */}
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

function StartControls() {
  const { t } = useTranslation();
  const { start, continueTalk } = useActions();
  const state = useUiState(runningState);
  const begin = (): void => void start('audio');
  if (state.phase !== 'ended' || state.offer !== 'continue')
    return (
      <Button kind="strong" icon={<Mic aria-hidden />} onClick={begin}>
        {t('talk.start')}
      </Button>
    );
  return (
    <>
      <Button kind="strong" onClick={() => void continueTalk('transcript')}>
        {t('talk.ended.goOn')}
      </Button>
      <IconButton icon={Mic} label={t('talk.ended.startNew')} onClick={begin} />
    </>
  );
}

/** The columns in two lines of the mini window. A Chinese character is two columns wide. */
const maxColumns = 84;
const sentenceEnd = /[.!?。！？…]["'”’）)]*\s*$/u;

/** In characters: a sentence mark with closing quotes and spaces. A longer run is not a sentence end. */
const maxSentenceEnd = 24;

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Selects the two lines of a turn that are being spoken. They stay until the next two begin, like subtitles. */
export type CueSelector = (turn: CaptionedTurn) => CaptionParts;

/** The result remembers the cues of a turn, so that a growing turn is searched only from its last cue on. */
export function createCueSelector(): CueSelector {
  let cached = { turn: -1, text: '', starts: [0] as readonly number[] };
  return (turn) => {
    const parts = toCaptionParts(turn);
    const { heard, coming, cut } = parts;
    const text = heard + coming + cut;
    if (text !== cached.text || turn.turn !== cached.turn) {
      const hasGrown = turn.turn === cached.turn && text.startsWith(cached.text);
      // The last start was found before the text was complete, so the text is searched again from there.
      const starts = findCueStarts(text, hasGrown ? cached.starts.slice(0, -1) : []);
      cached = { turn: turn.turn, text, starts };
    }
    const { starts } = cached;
    // After the last word was heard, the last cue stays.
    const at = Math.min(heard.length, Math.max(0, text.length - 1));
    const from = starts.findLast((start) => start <= at) ?? 0;
    const to = starts.find((start) => start > at) ?? text.length;
    return sliceCaptionParts(parts, from, to);
  };
}

/** Where each cue begins: after a sentence if the cue is half full by then, or else between words. */
export function findCueStarts(text: string, known: readonly number[] = []): readonly number[] {
  const begin = known.at(-1) ?? 0;
  const starts = [...known.slice(0, -1), begin];
  let columns = 0;
  let from = begin;
  let sentence = begin;
  let word = begin;
  for (const { segment, index: within } of wordSegmenter.segment(text.slice(begin))) {
    const index = begin + within;
    const width = countColumns(segment);
    if (columns + countColumns(segment.trimEnd()) > maxColumns && index > from) {
      const halfFull = countColumns(text.slice(from, sentence)) > maxColumns / 2;
      const next = halfFull ? sentence : Math.max(word, from + 1);
      starts.push(next);
      from = next;
      columns = countColumns(text.slice(next, index));
    }
    columns += width;
    const end = index + segment.length;
    word = end;
    if (sentenceEnd.test(text.slice(Math.max(from, end - maxSentenceEnd), end))) sentence = end;
  }
  return starts;
}

function countColumns(text: string): number {
  let columns = 0;
  for (const character of text)
    columns += /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(
      character,
    )
      ? 2
      : 1;
  return columns;
}

function MiniStage() {
  return (
    <div className="mini-stage">
      <MainClosedNotice />
      <RequestQuestion />
      <TroubleLine />
      <CaptionLines />
    </div>
  );
}

function TroubleLine() {
  const { t } = useTranslation();
  const { dismissProblem, dismissTrouble } = useActions();
  const problem = useUiState(({ problem }) => problem);
  const trouble = useUiState(({ talkErrors }) => talkErrors.at(-1));
  const isLive = useUiState(({ talkState }) => talkState.value.phase === 'live');
  const microphone = useUiState(({ devices }) => devices.microphone);
  const lostMicrophone = isLive && microphone.kind === 'lost' ? microphone : undefined;
  const sentence = problemText();
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

  function problemText(): string | undefined {
    if (problem !== undefined) return errorText(t, problem);
    if (trouble !== undefined) return errorText(t, trouble);
    return lostMicrophone && errorText(t, lostMicrophone.error);
  }
}

function CaptionLines() {
  const state = useUiState(runningState);
  const turn = useUiState(({ captions }) => captions.at(-1));
  const [visibleCue] = useState(createCueSelector);
  const listening = useUiState(listeningText);
  const { t } = useTranslation();
  if (state.phase !== 'live') return <StateLines state={state} />;
  if (turn === undefined) return <p className="mini-lines clamped mini-faint">{t(listening)}</p>;
  return (
    <p className="mini-lines clamped" dir="auto">
      <CaptionText {...visibleCue(turn)} />
    </p>
  );
}

function StateLines({ state }: { readonly state: Exclude<TalkState, { phase: 'live' }> }) {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const at = useUiState(({ talkState }) => talkState.at);
  const seconds =
    state.phase === 'queued'
      ? state.etaSeconds
      : state.phase === 'reconnecting'
        ? state.inMs / 1000
        : undefined;
  const remaining = useCountdown(seconds, at, now);
  const wait = useUiState(({ facts, localModel }) =>
    facts?.endpoint === computerProfile.name ? modelWaitText(t, 'talk', localModel) : undefined,
  );
  return (
    <>
      <p className="mini-lines clamped mini-faint">{stateText()}</p>
      {state.phase === 'ended' && state.ending.by !== 'client' && (
        <p className="mini-error hint" dir="auto">
          {errorText(t, state.ending.error)}
        </p>
      )}
    </>
  );

  function stateText(): string {
    switch (state.phase) {
      case 'idle':
        return t('talk.idle.title');
      case 'connecting':
        return wait ?? t('talk.connecting.title');
      case 'queued': {
        if (state.position === undefined) return t('talk.queue.unknown');
        const place = t('mini.place', { position: state.position });
        if (remaining === undefined) return place;
        return `${place} · ${remaining === 0 ? t('talk.queue.soon') : t('talk.queue.eta', { time: formatClock(remaining) })}`;
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

const noticeSeenKey = 'parley.mini-understood';

/** Says that the talk continues here after the main window was closed. Once dismissed, it does not appear again. */
function MainClosedNotice() {
  const { t } = useTranslation();
  const isMainClosed = useUiState(({ windows }) => windows?.main === false);
  const staysRunning = useUiState(({ windows }) => windows?.staysRunning === true);
  const talking = useUiState(({ talkState }) => !isTalkOver(talkState.value.phase));
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(noticeSeenKey) !== null);
  if (!isMainClosed || !talking || isDismissed) return null;
  return (
    <div className="mini-event" role="status">
      <p>{t(staysRunning ? 'mini.standsInKept' : 'mini.standsIn')}</p>
      <Button
        onClick={() => {
          localStorage.setItem(noticeSeenKey, 'true');
          setDismissed(true);
        }}
      >
        {t('mini.understood')}
      </Button>
    </div>
  );
}
