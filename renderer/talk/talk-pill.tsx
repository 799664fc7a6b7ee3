import { Square, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import { useActions, useAppContext, useUiState } from '../app/use-app-context.ts';
import { useNarrowerThan } from '../app/use-appearance.ts';
import { IconButton } from '../design/button.tsx';
import { clockTime } from '../i18n/time-text.ts';
import { CaptureMark } from './session-bar.tsx';
import { MuteButton } from './talk-buttons.tsx';
import { endingTitle } from './talk-ending.ts';
import './talk-pill.css';

/** In rem, as in the inspector's style. */
const besideInspector = 64;

/** A talk that goes on while something else is looked at: how it stands, and what one needs of it. */
export function TalkPill() {
  const elsewhere = useUiState(({ screen }) => screen !== 'talk');
  const inspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  // Where it has no place beside the talk, the inspector stands before it.
  const away = useNarrowerThan(besideInspector) && inspecting ? true : elsewhere;
  const state = useUiState(({ talkState }) => talkState.value);
  /** What has gone on in sight and ends by itself is told here, too. */
  const [seen, setSeen] = useState(false);
  const goesOn = state.phase !== 'idle' && state.phase !== 'ended';
  if (seen !== (goesOn && away) && (goesOn || !away)) setSeen(goesOn && away);
  if (!away) return null;
  if (goesOn) return <GoingOn state={state} />;
  if (!seen || state.phase !== 'ended' || state.ending.by === 'client') return null;
  return <Ended state={state} dismiss={() => setSeen(false)} />;
}

function GoingOn({ state }: { readonly state: TalkState }) {
  const { t } = useTranslation();
  const { go, end } = useActions();
  const { muted, paused } = useUiState(({ controls }) => controls);
  const live = state.phase === 'live';
  return (
    <section className="talk-pill" aria-label={t('aroundTalk.pill.name')}>
      <button
        type="button"
        className="talk-pill-state"
        data-phase={state.phase}
        data-paused={paused}
        onClick={() => go('talk')}
      >
        <span role="status">{stateText()}</span>
        {live && <TalkClock />}
        <span className="only-heard">{t('aroundTalk.pill.open')}</span>
      </button>
      <CaptureMark />
      {live && <MuteButton />}
      {state.phase !== 'ending' && (
        <IconButton
          icon={state.phase === 'queued' ? X : Square}
          label={t(endName())}
          onClick={() => void end()}
        />
      )}
    </section>
  );

  function stateText(): string {
    if (live && paused) return t('talk.paused');
    if (live && muted) return t('talk.mutedShort');
    if (state.phase !== 'queued' || state.position === undefined)
      return t(`talk.phases.${state.phase}`);
    const { position, length } = state;
    return length === undefined
      ? t('mini.place', { position })
      : t('aroundTalk.pill.place', { position, length });
  }

  function endName(): 'talk.end' | 'talk.leaveQueue' | 'buttons.cancel' {
    if (live) return 'talk.end';
    return state.phase === 'queued' ? 'talk.leaveQueue' : 'buttons.cancel';
  }
}

interface EndedProps {
  readonly state: Extract<TalkState, { readonly phase: 'ended' }>;
  readonly dismiss: () => void;
}

function Ended({ state: { ending, offer }, dismiss }: EndedProps) {
  const { t } = useTranslation();
  const { go } = useActions();
  return (
    <section className="talk-pill" aria-label={t('aroundTalk.pill.name')}>
      <button
        type="button"
        className="talk-pill-state"
        data-phase="ended"
        onClick={() => go('talk')}
      >
        <span role="status">{t(`talk.ended.${endingTitle(ending, offer)}`)}</span>
        <span className="only-heard">{t('aroundTalk.pill.open')}</span>
      </button>
      <IconButton icon={X} label={t('shell.dismiss')} onClick={dismiss} />
    </section>
  );
}

/** How long the talk has been live. It renders by itself, once a second, and nothing around it. */
function TalkClock() {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const since = useUiState(({ liveSince }) => liveSince);
  const [, tick] = useState(0);
  const passed = since === undefined ? undefined : Math.max(0, now() - since);
  useEffect(() => {
    if (passed === undefined) return undefined;
    const timer = setTimeout(() => tick((count) => count + 1), 1000 - (passed % 1000));
    return () => clearTimeout(timer);
  });
  if (passed === undefined) return null;
  const time = clockTime(passed / 1000);
  return (
    <span className="talk-clock" role="timer" aria-label={t('aroundTalk.pill.time', { time })}>
      {time}
    </span>
  );
}
