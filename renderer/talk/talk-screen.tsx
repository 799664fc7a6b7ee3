import { Camera, EyeOff, type LucideIcon, Mic, MonitorUp } from 'lucide-react';
import { Popover } from 'radix-ui';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { isTalkOver } from '../../shared/talk/talk-state.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { runningRequest, stageState } from '../app/ui-state.ts';
import { Button, IconButton, PlainIconButton } from '../design/button.tsx';
import { Panel } from '../design/layers.tsx';
import { CaptionLiveRegion } from './captions/caption-live-region.tsx';
import { CameraTile } from './capture/camera-tile.tsx';
import { CropSheet, ShareSheet } from './capture/capture-sheets.tsx';
import { MorePanel } from './more-panel.tsx';
import { SessionBar } from './session-bar.tsx';
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
import { VoiceWaveform } from './voice-waveform.tsx';
import './talk-screen.css';
import './stage.css';
import './dock.css';
import './capture/capture.css';

/** Loaded on demand: few users type during a talk, and typed answers need the Markdown renderer. */
const TypedWords = lazy(async () => {
  const { TypedWords } = await import('./typed-words.tsx');
  return { default: TypedWords };
});

const RequestPanel = lazy(async () => {
  const { RequestPanel } = await import('./talk-request.tsx');
  return { default: RequestPanel };
});

export function TalkScreen() {
  const { t } = useTranslation();
  useTalkKeys();
  const isTyping = useUiState(
    ({ typing, talkState }) => typing.open && talkState.value.phase === 'live',
  );
  const hasRequest = useUiState(
    (state) => runningRequest(state) !== undefined || state.writesRequest,
  );
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
          <RequestPanel />
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
    <section className="dock" aria-label={t('talk.controls')}>
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
      <p id="incognito-hint" className={isOn ? 'incognito-on hint' : 'only-heard'}>
        {t(isOn ? 'history.incognito.on' : 'history.incognito.hint')}
      </p>
    </div>
  );
}
