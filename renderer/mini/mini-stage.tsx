import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import { useActions, useAppContext, useUiState } from '../app/use-app-context.ts';
import { Button, IconButton } from '../design/button.tsx';
import { errorText } from '../i18n/error-text.ts';
import { clockTime, useCountdown } from '../i18n/time-text.ts';
import { CaptionText } from '../talk/captions/caption-text.tsx';
import { endingTitle } from '../talk/talk-ending.ts';
import { createVisibleCue } from './visible-cue.ts';

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

const key = 'parley.mini-understood';

/** Said once: that a talk goes on in here although the large window was closed. */
function StandInNotice() {
  const { t } = useTranslation();
  const away = useUiState(({ windows }) => windows?.main === false);
  const stays = useUiState(({ windows }) => windows?.stays === true);
  const talking = useUiState(({ talkState }) => !['idle', 'ended'].includes(talkState.value.phase));
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
