import { Activity, Camera, MonitorUp, Volume2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DuplexMode } from '../../shared/protocol/realtime-api.ts';
import { useActions, useAppContext, useUiState } from '../app/app-context.ts';
import { isMicrophoneOpening, runningState, stageState, type UiState } from '../app/ui-state.ts';
import { IconButton } from '../design/controls.tsx';
import { errorText, serverName, formatClock, useCountdown } from '../i18n/format.ts';
import { useWindowKeyLabel } from '../keys/window-keys.ts';

export function SessionBar() {
  const { t } = useTranslation();
  const { phase } = useUiState(stageState);
  const paused = useUiState(({ controls }) => controls.paused);
  const floor = useUiState(({ floor }) => floor);
  const facts = useUiState(({ facts }) => facts);
  const incognito = useUiState(({ storage }) => storage.talk.kind === 'incognito');
  const isLive = phase === 'live';
  const microphone = useUiState(({ devices }) => devices.microphone.kind);
  const { shows } = useAppContext();
  // A replay opens no microphone.
  const isOpening = useUiState(isMicrophoneOpening) && shows === 'talk';
  // Shown only before the session is live. A live session shows who speaks, or that the microphone is opening.
  const showsMicrophoneOpen =
    (phase === 'connecting' || phase === 'reconnecting') &&
    (microphone === 'using' || microphone === 'standsIn');
  const quiet = useUiState(({ talkState: { value } }) => value.phase === 'live' && value.quiet);
  const state = stateText();
  // A replay is not live: no session runs and no microphone is open.
  const isReplay = shows === 'replay' && isLive;
  return (
    <section className="session-bar hint" aria-label={t('palette.groups.talk')}>
      <p className="session-state" data-phase={shownPhase()} data-paused={paused}>
        <span role="status">{isReplay && !paused ? t('places.replay') : state}</span>
        {shows === 'talk' && <StateDetail />}
        {isLive && !paused && !isOpening && (
          <span className="session-floor">{t(`talk.floors.${floor}`)}</span>
        )}
        {showsMicrophoneOpen && <span className="session-floor">{t('talk.microphoneOpen')}</span>}
      </p>
      {facts !== undefined && phase !== 'idle' && (
        <ul className="session-facts">
          {incognito && <li className="session-incognito">{t('history.incognito.live')}</li>}
          {isLive && <RemainingLimits />}
          <li>
            <SeenOrHeard mode={facts.mode} />
          </li>
          <li className="session-endpoint one-line" dir="auto">
            {serverName(t, facts.endpoint)}
          </li>
        </ul>
      )}
      <InspectorButton />
    </section>
  );

  function stateText(): string {
    if (isLive && paused) return t('talk.paused');
    if (isOpening) return t('talk.microphoneOpening');
    return t(quiet === true ? 'talk.quiet' : `talk.phases.${phase}`);
  }

  function shownPhase(): string {
    if (isReplay) return 'replayed';
    return isOpening ? 'connecting' : phase;
  }
}

/** For screen readers: what the cards and the banner below show without a live region. */
function StateDetail() {
  const { t } = useTranslation();
  const state = useUiState(stageState);
  return (
    <span className="visually-hidden" aria-live="polite">
      {detailText()}
    </span>
  );

  function detailText(): string | undefined {
    if (state.phase === 'reconnecting') return errorText(t, state.error);
    if (state.phase === 'ended' && state.ending.by !== 'client')
      return errorText(t, state.ending.error);
    if (state.phase !== 'queued' || state.position === undefined) return undefined;
    return t('mini.place', { position: state.position });
  }
}

function InspectorButton() {
  const { t } = useTranslation();
  const { setInspector } = useActions();
  const isOpen = useUiState(({ inspectorOpen }) => inspectorOpen);
  const inspectorKey = useWindowKeyLabel('inspector');
  return (
    <div className="session-tools">
      <IconButton
        icon={Activity}
        label={t(isOpen ? 'inspector.close' : 'inspector.open')}
        hint={inspectorKey}
        aria-expanded={isOpen}
        onClick={() => setInspector(!isOpen)}
      />
    </div>
  );
}

function SeenOrHeard({ mode }: { readonly mode: DuplexMode }) {
  const { t } = useTranslation();
  const isCapturing = useUiState(
    ({ talkCapture, computerSound }) => talkCapture !== 'nothing' || hearsComputer(computerSound),
  );
  return isCapturing ? <CaptureMark /> : t(`talk.modes.${mode}`);
}

/** Shows the remaining minutes, and only near the end. With the inspector open it shows all limits. */
function RemainingLimits() {
  // With hand-over another session takes over, so this one's limit does not matter to the user.
  const continues = useUiState(({ settings }) => settings?.talking.longTalks === 'handOver');
  const isInspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  // The warning already says how much is left.
  const hasWarning = useUiState(({ warning }) => warning !== undefined);
  if (isInspecting)
    return (
      <>
        <TimeLeft />
        <ContextLeft />
      </>
    );
  return continues || hasWarning ? null : <MinutesLeft />;
}

/** In seconds: the remaining minutes are shown below this. */
const nearSeconds = 300;

function MinutesLeft() {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const limits = useUiState(({ limits }) => limits);
  const { seconds, tokenSeconds, pruning } = limits?.value ?? {};
  const contextSeconds = pruning === true ? undefined : tokenSeconds;
  const secondsLeft = Math.min(seconds ?? Infinity, contextSeconds ?? Infinity);
  const finiteSeconds = Number.isFinite(secondsLeft) ? secondsLeft : undefined;
  const remaining = useCountdown(finiteSeconds, limits?.at ?? 0, now);
  if (remaining === undefined || remaining > nearSeconds) return null;
  return (
    <li>{t('aroundTalk.limits.minutes', { minutes: Math.max(1, Math.ceil(remaining / 60)) })}</li>
  );
}

function TimeLeft() {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const limits = useUiState(({ limits }) => limits);
  const remaining = useCountdown(limits?.value.seconds, limits?.at ?? 0, now);
  if (remaining === undefined) return null;
  return <li data-short={remaining <= 60}>{t('talk.left', { time: formatClock(remaining) })}</li>;
}

function ContextLeft() {
  const { t, i18n } = useTranslation();
  const limits = useUiState(({ limits }) => limits?.value);
  if (limits?.tokens === undefined) return null;
  if (limits.pruning) return <li>{t('talk.pruning')}</li>;
  const tokens = new Intl.NumberFormat(i18n.language).format(limits.tokens);
  return <li data-short={(limits.tokenSeconds ?? 999) <= 60}>{t('talk.tokens', { tokens })}</li>;
}

/** The camera, the screen or the computer's sound, while the model gets it. */
export function CaptureMark() {
  return (
    <>
      <PictureMark />
      <ComputerSoundMark />
    </>
  );
}

function hearsComputer({ kind }: UiState['computerSound']): boolean {
  return kind === 'on' || kind === 'opening' || kind === 'lost';
}

function ComputerSoundMark() {
  const { t } = useTranslation();
  const state = useUiState(({ computerSound }) => computerSound);
  if (!hearsComputer(state)) return null;
  const isLost = state.kind === 'lost';
  return (
    <span
      className="capture-mark"
      data-frozen={isLost}
      {...(isLost && { title: errorText(t, state.error) })}
    >
      <Volume2 strokeWidth={1.75} aria-hidden />
      <span>{t(isLost ? 'aroundTalk.computerSoundLost' : 'aroundTalk.computerSound')}</span>
    </span>
  );
}

function PictureMark() {
  const { t } = useTranslation();
  const capture = useUiState(({ talkCapture }) => talkCapture);
  const frozen = useUiState(({ frozen }) => frozen);
  if (capture === 'nothing') return null;
  const Icon = capture === 'camera' ? Camera : MonitorUp;
  return (
    <span className="capture-mark" data-frozen={frozen}>
      <Icon strokeWidth={1.75} aria-hidden />
      <span>{t(`aroundTalk.capture.${capture}`)}</span>
    </span>
  );
}

/** The talk's state at a glance, for small windows: its phase, who speaks, and what Parley sees. */
export function TalkStateLine() {
  const { t } = useTranslation();
  const { phase } = useUiState(runningState);
  const { paused, muted } = useUiState(({ controls }) => controls);
  const floor = useUiState(({ floor }) => floor);
  const isOpening = useUiState(isMicrophoneOpening);
  const isLive = phase === 'live';
  const shownPhase = isOpening ? 'connecting' : phase;
  return (
    <p className="session-state talk-state-line" data-phase={shownPhase} data-paused={paused}>
      <span role="status">{stateText()}</span>
      {isLive && !paused && !isOpening && (
        <span className="session-floor">
          {muted ? t('talk.mutedShort') : t(`talk.floors.${floor}`)}
        </span>
      )}
      <CaptureMark />
    </p>
  );

  function stateText(): string {
    if (isLive && paused) return t('talk.paused');
    return t(isOpening ? 'talk.microphoneOpening' : `talk.phases.${phase}`);
  }
}
