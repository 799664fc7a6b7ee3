import {
  Camera,
  EyeOff,
  Hand,
  type LucideIcon,
  Mic,
  MicOff,
  MonitorUp,
  PhoneOff,
  Play,
} from 'lucide-react';
import { Popover } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { stageState } from '../app/ui-state.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { Button, IconButton } from '../design/button.tsx';
import { Panel } from '../design/panel.tsx';
import { useWindowKeySign } from '../keys/use-key-names.ts';
import { MorePanel } from './more-panel.tsx';
import { PushToTalkButton } from './push-to-talk-button.tsx';
import type { TalkActions } from './talk-actions.ts';

/** The controls of a talk, in one row at the bottom; before and after it, how to begin. */
export function Dock() {
  const { t } = useTranslation();
  const { phase } = useUiState(stageState);
  return (
    <section className="dock" aria-label={t('talk.controls')}>
      {phase === 'live' && <LiveControls />}
      {phase === 'idle' && <StartControls />}
      {(phase === 'idle' || phase === 'ended') && <IncognitoSwitch />}
      {(phase === 'connecting' || phase === 'queued') && (
        <WaitControls queued={phase === 'queued'} />
      )}
      {phase === 'reconnecting' && <EndButton />}
    </section>
  );
}

function StartControls() {
  const { t } = useTranslation();
  const { start, startWithCamera, pick } = useActions();
  return (
    <div className="dock-starts">
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

function WaitControls({ queued }: { readonly queued: boolean }) {
  const { t } = useTranslation();
  const { end } = useActions();
  return (
    <Button onClick={() => void end()}>{t(queued ? 'talk.leaveQueue' : 'talk.cancel')}</Button>
  );
}

/** In sight what is used in every talk, the rest behind one button, and End apart from all of it. */
function LiveControls() {
  const paused = useUiState(({ controls }) => controls.paused);
  return (
    <>
      {paused ? <ResumeButton /> : <PushToTalkButton />}
      <div className="dock-row">
        <MuteButton />
        <CaptureButtons />
        <InterruptButton />
        <MorePanel />
        <EndButton />
      </div>
    </>
  );
}

/** The one way on: nothing else in the dock brings the talk back. */
function ResumeButton() {
  const { t } = useTranslation();
  const { setPaused } = useActions();
  return (
    <Button kind="strong" icon={<Play aria-hidden />} onClick={() => void setPaused(false)}>
      {t('talk.resume')}
    </Button>
  );
}

function MuteButton() {
  const { t } = useTranslation();
  const { setMuted } = useActions();
  const muted = useUiState(({ controls }) => controls.muted);
  const muteKey = useWindowKeySign('mute');
  return (
    <IconButton
      labelled
      icon={muted ? MicOff : Mic}
      label={t(muted ? 'talk.unmute' : 'talk.mute')}
      hint={muteKey}
      data-held={muted}
      onClick={() => void setMuted(!muted)}
    />
  );
}

/** What Parley sees: the camera, or what is shared; never both. A talk that began without pictures has none. */
function CaptureButtons() {
  const usable = useUiState(({ facts }) => facts?.mode === 'video');
  return usable ? (
    <>
      <CameraButton />
      <ShareButton />
    </>
  ) : (
    <>
      <CameraFromNowOn />
      <ShareFromNowOn />
    </>
  );
}

function CameraButton() {
  const { t } = useTranslation();
  const { setCapture, showCamera } = useActions();
  const isSource = useUiState(({ visionUi }) => visionUi.source.kind === 'camera');
  const on = useUiState(({ capture }) => capture.state !== 'off') && isSource;
  const camera = useUiState(({ settings }) => settings?.vision.camera ?? '');
  return (
    <IconButton
      labelled
      icon={Camera}
      label={t('talk.camera')}
      pressed={on}
      onClick={() => void (isSource ? setCapture(!on) : showCamera(camera))}
    />
  );
}

function ShareButton() {
  const { t } = useTranslation();
  const { setCapture, pick } = useActions();
  const on = useUiState(
    ({ capture, visionUi }) => capture.state !== 'off' && visionUi.source.kind !== 'camera',
  );
  return (
    <IconButton
      labelled
      icon={MonitorUp}
      label={t('talk.share')}
      pressed={on}
      onClick={() => void (on ? setCapture(false) : pick('screen'))}
    />
  );
}

function CameraFromNowOn() {
  const { t } = useTranslation();
  const { startWithCamera } = useActions();
  return (
    <AnewWith
      name={t('talk.camera')}
      icon={Camera}
      start={t('talk.startSeeing')}
      run={() => void startWithCamera()}
    />
  );
}

function ShareFromNowOn() {
  const { t } = useTranslation();
  const { pick } = useActions();
  return (
    <AnewWith
      name={t('talk.share')}
      icon={MonitorUp}
      start={t('talk.startSharing')}
      run={() => void pick('screen', true)}
    />
  );
}

interface AnewProps {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly start: string;
  readonly run: () => void;
}

/** Says why it is not just switched on, and the way to it. */
function AnewWith({ name, icon: Icon, start, run }: AnewProps) {
  const { t } = useTranslation();
  return (
    <Panel
      name={name}
      side="top"
      trigger={
        <button type="button" className="icon-button">
          <Icon strokeWidth={1.75} aria-hidden />
          <span className="label">{name}</span>
        </button>
      }
    >
      <div className="dock-anew">
        <p>{t('talk.cameraNeedsStart')}</p>
        <Popover.Close asChild>
          <Button kind="strong" onClick={run}>
            {start}
          </Button>
        </Popover.Close>
      </div>
    </Panel>
  );
}

/** In the dock where there is room; behind More it is always. */
function InterruptButton() {
  const { t } = useTranslation();
  const actions: TalkActions = useActions();
  const interruptKey = useWindowKeySign('interrupt');
  return (
    <IconButton
      labelled
      icon={Hand}
      label={t('talk.interrupt')}
      hint={interruptKey}
      data-roomy
      onClick={() => void actions.interrupt()}
    />
  );
}

/** Ends the talk: the one control in its colour. */
function EndButton() {
  const { t } = useTranslation();
  const { end } = useActions();
  const endKey = useWindowKeySign('end');
  return (
    <IconButton
      labelled
      icon={PhoneOff}
      label={t('talk.end')}
      hint={endKey}
      data-end
      onClick={() => void end()}
    />
  );
}

/** Beside Start: whether the next talk leaves anything on this machine. */
function IncognitoSwitch() {
  const { t } = useTranslation();
  const { history } = useActions();
  const on = useUiState(({ keeping }) => keeping.incognito);
  return (
    <div className="incognito">
      <button
        type="button"
        role="switch"
        className="incognito-switch"
        aria-checked={on}
        aria-describedby="incognito-hint"
        onClick={() => void history.setIncognito(!on)}
      >
        <EyeOff strokeWidth={1.75} aria-hidden />
        {t('history.incognito.name')}
        <span className="switch-track" />
      </button>
      <p id="incognito-hint" className={on ? 'incognito-on' : 'only-heard'}>
        {t(on ? 'history.incognito.on' : 'history.incognito.hint')}
      </p>
    </div>
  );
}
