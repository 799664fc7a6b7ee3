import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import { IconButton } from '../design/icon-button.tsx';
import { errorText } from '../parts/error-text.ts';
import { useActions, useAppContext, useUiState } from '../store/use-app-context.ts';
import { CaptionText } from '../talk/captions/caption-text.tsx';
import { endingTitle } from '../talk/ended/ending-title.ts';
import { clockTime, useCountdown } from '../talk/use-countdown.ts';
import { createVisibleCue } from './visible-cue.ts';
import { StandInNotice } from './stand-in-notice.tsx';

/** Two lines: what is wrong, or else what is being said, or else how it stands. */
export function MiniStage() {
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
        <p className="mini-what-to-do" dir="auto">
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
