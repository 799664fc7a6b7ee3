import {
  Camera,
  CameraOff,
  CassetteTape,
  Hand,
  Mic,
  MicOff,
  MonitorUp,
  Pause,
  Play,
  Square,
  Wind,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useWindowKeySign } from '../keys/use-window-key-sign.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { IncognitoSwitch } from './incognito-switch.tsx';
import { PushToTalkButton } from './push-to-talk-button.tsx';
import type { TalkActions } from './talk-actions.ts';
import { TalkingModeMenu } from './talking-mode-menu.tsx';

/** The controls of a talk, in one row at the bottom; before and after it, how to begin. */
export function Dock() {
  const { t } = useTranslation();
  const phase = useUiState(({ talkState }) => talkState.value.phase);
  return (
    <section className="dock" aria-label={t('talk.controls')}>
      {phase === 'live' && <LiveControls />}
      {phase === 'idle' && <StartControls />}
      {(phase === 'idle' || phase === 'ended') && <IncognitoSwitch />}
      {(phase === 'connecting' || phase === 'queued' || phase === 'reconnecting') && (
        <WaitControls queued={phase === 'queued'} />
      )}
    </section>
  );
}

function StartControls() {
  const { t } = useTranslation();
  const { start, startWithCamera, pick } = useActions();
  return (
    <>
      <Button kind="strong" icon={<Mic aria-hidden />} onClick={() => void start('audio')}>
        {t('talk.start')}
      </Button>
      <Button icon={<Camera aria-hidden />} onClick={() => void startWithCamera()}>
        {t('talk.startSeeing')}
      </Button>
      <Button icon={<MonitorUp aria-hidden />} onClick={() => void pick('screen', true)}>
        {t('talk.startSharing')}
      </Button>
    </>
  );
}

function WaitControls({ queued }: { readonly queued: boolean }) {
  const { t } = useTranslation();
  const { end } = useActions();
  return (
    <Button onClick={() => void end()}>{t(queued ? 'talk.leaveQueue' : 'talk.cancel')}</Button>
  );
}

function LiveControls() {
  const { t } = useTranslation();
  const actions: TalkActions = useActions();
  const { muted, coughMuted, paused } = useUiState(({ controls }) => controls);
  const muteKey = useWindowKeySign('mute');
  const interruptKey = useWindowKeySign('interrupt');
  const pauseKey = useWindowKeySign('pause');
  return (
    <>
      <PushToTalkButton />
      <div className="dock-row">
        <TalkingModeMenu />
        <IconButton
          labelled
          icon={muted ? MicOff : Mic}
          label={t(muted ? 'talk.unmute' : 'talk.mute')}
          hint={muteKey}
          data-held={muted}
          onClick={() => void actions.setMuted(!muted)}
        />
        <CoughButton held={coughMuted} />
        <button
          type="button"
          className="end-button"
          aria-label={t('talk.end')}
          onClick={() => void actions.end()}
        >
          <Square fill="currentColor" aria-hidden />
          <span className="end-text">{t('talk.end')}</span>
        </button>
        <IconButton
          labelled
          icon={Hand}
          label={t('talk.interrupt')}
          hint={interruptKey}
          onClick={() => void actions.interrupt()}
        />
        <IconButton
          labelled
          icon={paused ? Play : Pause}
          label={t(paused ? 'talk.resume' : 'talk.pause')}
          hint={pauseKey}
          data-held={paused}
          onClick={() => void actions.setPaused(!paused)}
        />
        <CameraButton />
        <KeepRecentButton />
      </div>
    </>
  );
}

/** Down is silent, up is heard again, by pointer and by key. */
function CoughButton({ held }: { readonly held: boolean }) {
  const { t } = useTranslation();
  const { setCoughMuted } = useActions();
  const set = (muted: boolean) => (): void => {
    if (held !== muted) void setCoughMuted(muted);
  };
  return (
    <IconButton
      labelled
      icon={Wind}
      label={t('talk.cough')}
      hint={t('talk.coughHint')}
      data-held={held}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        void setCoughMuted(true);
      }}
      onLostPointerCapture={() => void setCoughMuted(false)}
      onKeyDown={({ key, repeat }) => {
        if (!repeat && (key === 'Enter' || key === ' ')) void setCoughMuted(true);
      }}
      onKeyUp={set(false)}
      onBlur={set(false)}
    />
  );
}

/** Only where they are held: who has not asked for it has nothing in the way. */
function KeepRecentButton() {
  const { t } = useTranslation();
  const { history } = useActions();
  const held = useUiState(({ keeping }) => keeping.recent !== undefined);
  const key = useWindowKeySign('keepRecent');
  if (!held) return null;
  return (
    <IconButton
      labelled
      icon={CassetteTape}
      label={t('talk.keepRecent')}
      hint={key ?? t('talk.keepRecentHint')}
      onClick={() => void history.keepRecent()}
    />
  );
}

function CameraButton() {
  const { t } = useTranslation();
  const { setCapture } = useActions();
  const withVideo = useUiState(({ facts }) => facts?.mode === 'video');
  const on = useUiState(({ capture }) => capture.state !== 'off');
  return (
    <IconButton
      labelled
      icon={on ? Camera : CameraOff}
      label={t('talk.camera')}
      hint={withVideo ? undefined : t('talk.cameraNeedsStart')}
      aria-disabled={!withVideo}
      pressed={on}
      onClick={() => {
        if (withVideo) void setCapture(!on);
      }}
    />
  );
}
