import { Square, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTalkOver, type TalkState } from '../../shared/talk/talk-state.ts';
import { useActions, useAppContext, useUiState } from '../app/app-context.ts';
import { runningState } from '../app/ui-state.ts';
import { useNarrowerThan } from '../app/use-appearance.ts';
import { IconButton } from '../design/button.tsx';
import { formatClock } from '../i18n/format.ts';
import { CaptureMark } from './session-bar.tsx';
import { MuteButton } from './talk-buttons.tsx';
import { endingTitle } from './talk-ui-state.ts';
import './talk-pill.css';

/** In rem; the same width as in inspector.css. */
const inspectorBesideWidth = 64;

export function TalkPill() {
  const { t } = useTranslation();
  const isOtherScreen = useUiState(({ screen }) => screen !== 'talk');
  const isInspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  // In a narrow window the inspector covers the talk.
  const isHidden = useNarrowerThan(inspectorBesideWidth) && isInspecting ? true : isOtherScreen;
  const state = useUiState(runningState);
  /** Whether a running talk was shown here; only then does the pill report that it failed. */
  const [wasShown, setWasShown] = useState(false);
  const isRunning = !isTalkOver(state.phase);
  if (wasShown !== (isRunning && isHidden) && (isRunning || !isHidden))
    setWasShown(isRunning && isHidden);
  if (!isHidden) return null;
  if (isRunning) return <RunningTalk state={state} />;
  if (!wasShown || state.phase !== 'ended' || state.ending.by === 'client') return null;
  return (
    <Pill phase="ended" text={t(`talk.ended.${endingTitle(state.ending, state.offer)}`)}>
      <IconButton icon={X} label={t('shell.dismiss')} onClick={() => setWasShown(false)} />
    </Pill>
  );
}

function RunningTalk({ state }: { readonly state: TalkState }) {
  const { t } = useTranslation();
  const { end } = useActions();
  const { muted, paused } = useUiState(({ controls }) => controls);
  const { phase } = state;
  const isLive = phase === 'live';
  const endLabel = isLive ? 'talk.end' : phase === 'queued' ? 'talk.leaveQueue' : 'buttons.cancel';
  return (
    <Pill phase={phase} paused={paused} text={stateText()}>
      <CaptureMark />
      {isLive && <MuteButton />}
      {phase !== 'ending' && (
        <IconButton
          icon={phase === 'queued' ? X : Square}
          label={t(endLabel)}
          onClick={() => void end()}
        />
      )}
    </Pill>
  );

  function stateText(): string {
    if (isLive && paused) return t('talk.paused');
    if (isLive && muted) return t('talk.mutedShort');
    if (phase !== 'queued' || state.position === undefined) return t(`talk.phases.${phase}`);
    const { position, length } = state;
    return length === undefined
      ? t('mini.place', { position })
      : t('aroundTalk.pill.place', { position, length });
  }
}

interface PillProps {
  readonly phase: TalkState['phase'];
  readonly paused?: boolean;
  readonly text: string;
  readonly children: ReactNode;
}

function Pill({ phase, paused = false, text, children }: PillProps) {
  const { t } = useTranslation();
  const { go } = useActions();
  return (
    <section className="talk-pill" aria-label={t('aroundTalk.pill.name')}>
      <button
        type="button"
        className="talk-pill-state"
        data-phase={phase}
        data-paused={paused}
        onClick={() => go('talk')}
      >
        <span role="status">{text}</span>
        {phase === 'live' && <TalkClock />}
        <span className="only-heard">{t('aroundTalk.pill.open')}</span>
      </button>
      {children}
    </section>
  );
}

/** How long the talk has been live; re-renders only itself, once a second. */
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
  const time = formatClock(passed / 1000);
  return (
    <span className="talk-clock" role="timer" aria-label={t('aroundTalk.pill.time', { time })}>
      {time}
    </span>
  );
}
