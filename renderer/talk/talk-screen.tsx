import { Camera, EyeOff, type LucideIcon, Mic, MonitorUp, Square, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { lazy, Suspense, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTalkOver, type TalkState } from '../../shared/talk/talk-view.ts';
import { useActions, useUiState, useAppContext } from '../app/app-context.ts';
import { isMicrophoneOpening, runningTask, stageState, runningState } from '../app/ui-state.ts';
import { useNarrowerThan } from '../app/use-appearance.ts';
import { Button, IconButton, PlainIconButton, takeLostFocus } from '../design/controls.tsx';
import { Panel } from '../design/layers.tsx';
import { formatClock } from '../i18n/format.ts';
import { CaptionLiveRegion } from './captions/caption-live-region.tsx';
import { CameraTile } from './capture/camera-tile.tsx';
import { CropSheet, ShareSheet } from './capture/capture-sheets.tsx';
import { MorePanel } from './more-panel.tsx';
import { SessionBar, CaptureMark } from './session-bar.tsx';
import { Stage } from './stage.tsx';
import {
  EndButton,
  InterruptButton,
  MuteButton,
  PushToTalkButton,
  ResumeButton,
  CancelStartButton,
} from './talk-buttons.tsx';
import { useTalkKeys } from './talk-keys.ts';
import { TalkNotes } from './talk-notes.tsx';
import { endingTitle } from './talk-ui-state.ts';
import { VoiceWaveform } from './voice-waveform.tsx';
import './talk-screen.css';
import './stage.css';
import './dock.css';
import './capture/capture.css';
import './talk-pill.css';

/** Loaded on demand: few users type during a talk, and typed answers need the Markdown renderer. */
const TypedWords = lazy(async () => {
  const { TypedWords } = await import('./tool-task.tsx');
  return { default: TypedWords };
});

const TaskPanel = lazy(async () => {
  const { TaskPanel } = await import('./tool-task.tsx');
  return { default: TaskPanel };
});

export function TalkScreen() {
  const { t } = useTranslation();
  useTalkKeys();
  const isTyping = useUiState(
    ({ typing, talkState }) => typing.open && talkState.value.phase === 'live',
  );
  const hasRequest = useUiState((state) => runningTask(state) !== undefined || state.writesTask);
  return (
    <main className="talk" aria-label={t('places.talk')}>
      <SessionBar />
      <div className="stage">
        <Stage />
        <CameraTile />
      </div>
      <CaptionLiveRegion />
      <TalkNotes />
      {isTyping && (
        <Suspense fallback={null}>
          <TypedWords />
        </Suspense>
      )}
      {hasRequest && (
        <Suspense fallback={null}>
          <TaskPanel />
        </Suspense>
      )}
      <VoiceWaveform />
      <Dock />
      <ShareSheet />
      <CropSheet />
    </main>
  );
}

function Dock() {
  const { t } = useTranslation();
  const { phase } = useUiState(stageState);
  return (
    <section ref={takeLostFocus} className="dock" aria-label={t('talk.controls')}>
      {phase === 'live' && <LiveControls />}
      {phase === 'idle' && <StartControls />}
      {isTalkOver(phase) && <IncognitoSwitch />}
      {(phase === 'connecting' || phase === 'queued') && (
        <CancelStartButton queued={phase === 'queued'} />
      )}
      {phase === 'reconnecting' && <EndButton inDock />}
    </section>
  );
}

function StartControls() {
  const { t } = useTranslation();
  const { start, startWithCamera, pick } = useActions();
  return (
    <div className="dock-starts button-row">
      <Button kind="strong" icon={<Mic aria-hidden />} onClick={() => void start('audio')}>
        {t('talk.start')}
      </Button>
      <Button icon={<Camera aria-hidden />} onClick={() => void startWithCamera()}>
        {t('talk.startSeeing')}
      </Button>
      <Button icon={<MonitorUp aria-hidden />} onClick={() => void pick('screen', true)}>
        {t('talk.startSharing')}
      </Button>
    </div>
  );
}

function LiveControls() {
  const paused = useUiState(({ controls }) => controls.paused);
  return (
    <>
      {paused ? <ResumeButton kind="strong" /> : <PushToTalkButton />}
      <div className="dock-row">
        <MuteButton inDock />
        <CaptureButtons />
        <InterruptButton inDock />
        <MorePanel />
        <EndButton inDock />
      </div>
    </>
  );
}

/** A talk that began without pictures cannot add them, so its buttons restart it. */
function CaptureButtons() {
  const usable = useUiState(({ facts }) => facts?.mode === 'video');
  return usable ? (
    <>
      <CameraButton />
      <ShareButton />
    </>
  ) : (
    <>
      <CameraRestartButton />
      <ShareRestartButton />
    </>
  );
}

function CameraButton() {
  const { t } = useTranslation();
  const { setCapture, showCamera } = useActions();
  const isSource = useUiState(({ visionUi }) => visionUi.source.kind === 'camera');
  const isOn = useUiState(({ capture }) => capture.state !== 'off') && isSource;
  const camera = useUiState(({ settings }) => settings?.vision.camera ?? '');
  return (
    <IconButton
      labelled
      icon={Camera}
      label={t('talk.camera')}
      aria-pressed={isOn}
      onClick={() => void (isSource ? setCapture(!isOn) : showCamera(camera))}
    />
  );
}

function ShareButton() {
  const { t } = useTranslation();
  const { setCapture, pick } = useActions();
  const isOn = useUiState(
    ({ capture, visionUi }) => capture.state !== 'off' && visionUi.source.kind !== 'camera',
  );
  return (
    <IconButton
      labelled
      icon={MonitorUp}
      label={t('talk.share')}
      aria-pressed={isOn}
      onClick={() => void (isOn ? setCapture(false) : pick('screen'))}
    />
  );
}

function CameraRestartButton() {
  const { t } = useTranslation();
  const { startWithCamera } = useActions();
  return (
    <RestartPanel
      name={t('talk.camera')}
      icon={Camera}
      start={t('talk.startSeeing')}
      onRestart={() => void startWithCamera()}
    />
  );
}

function ShareRestartButton() {
  const { t } = useTranslation();
  const { pick } = useActions();
  return (
    <RestartPanel
      name={t('talk.share')}
      icon={MonitorUp}
      start={t('talk.startSharing')}
      onRestart={() => void pick('screen', true)}
    />
  );
}

interface RestartPanelProps {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly start: string;
  readonly onRestart: () => void;
}

/** Explains why pictures need a new talk, and offers to start one. */
function RestartPanel({ name, icon, start, onRestart }: RestartPanelProps) {
  const { t } = useTranslation();
  return (
    <Panel name={name} side="top" trigger={<PlainIconButton labelled icon={icon} label={name} />}>
      <div className="dock-restart">
        <p>{t('talk.cameraNeedsStart')}</p>
        <Popover.Close asChild>
          <Button kind="strong" onClick={onRestart}>
            {start}
          </Button>
        </Popover.Close>
      </div>
    </Panel>
  );
}

function IncognitoSwitch() {
  const { t } = useTranslation();
  const { history } = useActions();
  const isOn = useUiState(({ storage }) => storage.incognito);
  return (
    <div className="incognito">
      <button
        type="button"
        role="switch"
        className="incognito-switch hint"
        aria-checked={isOn}
        aria-describedby="incognito-hint"
        onClick={() => void history.setIncognito(!isOn)}
      >
        <EyeOff strokeWidth={1.75} aria-hidden />
        {t('history.incognito.name')}
        <span className="switch-track" />
      </button>
      <p id="incognito-hint" className={isOn ? 'incognito-on hint' : 'visually-hidden'}>
        {t(isOn ? 'history.incognito.on' : 'history.incognito.hint')}
      </p>
    </div>
  );
}

/** In rem; the same width as in inspector.css. */
const inspectorBesideWidth = 64;

/** Shows the running talk while other screens hide it, and says so if it fails meanwhile. */
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
  const isOpening = useUiState(isMicrophoneOpening);
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
    if (isOpening) return t('talk.microphoneOpening');
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
        <span className="visually-hidden">{t('aroundTalk.pill.open')}</span>
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
