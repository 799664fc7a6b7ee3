import { Hand, Maximize2, Mic, MicOff, PhoneOff, Play, X } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { PlaceBoundary } from '../app/place-boundary.tsx';
import { RecoveryNotice } from '../app/shell-notices.tsx';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { useAppearance } from '../app/use-appearance.ts';
import { Button, IconButton } from '../design/button.tsx';
import { useWindowKeySign } from '../keys/use-key-names.ts';
import { CaptionLiveRegion } from '../talk/captions/caption-live-region.tsx';
import { PushToTalkButton } from '../talk/push-to-talk-button.tsx';
import { CaptureMark } from '../talk/session-bar.tsx';
import { useTalkKeys } from '../talk/talk-keys.ts';
import { VoiceWaveform } from '../talk/voice-waveform.tsx';
import { MiniStage } from './mini-stage.tsx';
import './mini.css';

/** A talk in a small window that stays on top of others. */
export function MiniWindow() {
  const { t } = useTranslation();
  const { readWindows } = useActions();
  useAppearance();
  useTalkKeys();
  useCloseKey();
  useEffect(() => {
    void readWindows();
  }, [readWindows]);
  return (
    <Tooltip.Provider delayDuration={400}>
      <main className="mini" aria-label={t('mini.title')}>
        <h1 className="only-heard">{t('mini.title')}</h1>
        <MiniHeader />
        <PlaceBoundary>
          <RecoveryNotice />
          <MiniStage />
          <CaptionLiveRegion />
          <VoiceWaveform />
          <MiniDock />
        </PlaceBoundary>
      </main>
    </Tooltip.Provider>
  );
}

/** As other windows close; a window without a frame has no menu to do it by. */
function useCloseKey(): void {
  const { closeMini } = useActions();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'w' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!event.repeat) void closeMini();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [closeMini]);
}

/** Where the talk stands and who speaks; what is not a button here is what the window is dragged by. */
function MiniHeader() {
  const { t } = useTranslation();
  const { showMain, closeMini } = useActions();
  const phase = useUiState(({ talkState }) => talkState.value.phase);
  const paused = useUiState(({ controls }) => controls.paused);
  const muted = useUiState(({ controls }) => controls.muted);
  const floor = useUiState(({ floor }) => floor);
  const last = useUiState(({ windows }) => windows?.main === false && windows.stays !== true);
  const live = phase === 'live';
  const state = live && paused ? t('talk.paused') : t(`talk.phases.${phase}`);
  return (
    <div className="mini-head">
      <p className="session-state" data-phase={phase} data-paused={paused}>
        <span role="status">{state}</span>
        {live && !paused && (
          <span className="session-floor">
            {muted ? t('talk.mutedShort') : t(`talk.floors.${floor}`)}
          </span>
        )}
        <CaptureMark />
      </p>
      <div className="mini-tools">
        <IconButton icon={Maximize2} label={t('mini.expand')} onClick={() => void showMain()} />
        <IconButton
          icon={X}
          label={t(last ? 'mini.closeLast' : 'mini.close')}
          onClick={() => void closeMini()}
        />
      </div>
    </div>
  );
}

/** Of the controls, those that one needs while something else is being done. */
function MiniDock() {
  const { t } = useTranslation();
  const phase = useUiState(({ talkState }) => talkState.value.phase);
  return (
    <section className="mini-dock" aria-label={t('talk.controls')}>
      {phase === 'live' && <Live />}
      {(phase === 'idle' || phase === 'ended') && <Begin />}
      {(phase === 'connecting' || phase === 'queued' || phase === 'reconnecting') && <Wait />}
    </section>
  );
}

function Live() {
  const { t } = useTranslation();
  const { setMuted, setPaused, end } = useActions();
  const { muted, paused, talking } = useUiState(({ controls }) => controls);
  return (
    <>
      {/* The largest is what one needs now: the way back from silence, the key to talk with, or a word to be had. */}
      {paused && (
        <Button icon={<Play aria-hidden />} onClick={() => void setPaused(false)}>
          {t('talk.resume')}
        </Button>
      )}
      {!paused && talking !== 'open' && <PushToTalkButton />}
      {!paused && talking === 'open' && muted && (
        <Button icon={<MicOff aria-hidden />} onClick={() => void setMuted(false)}>
          {t('talk.unmute')}
        </Button>
      )}
      {!paused && <Interrupt large={talking === 'open' && !muted} />}
      {(talking !== 'open' || paused || !muted) && (
        <IconButton
          icon={muted ? MicOff : Mic}
          label={t(muted ? 'talk.unmute' : 'talk.mute')}
          data-held={muted}
          onClick={() => void setMuted(!muted)}
        />
      )}
      <IconButton icon={PhoneOff} label={t('talk.end')} data-end onClick={() => void end()} />
    </>
  );
}

function Interrupt({ large }: { readonly large: boolean }) {
  const { t } = useTranslation();
  const { interrupt } = useActions();
  const interruptKey = useWindowKeySign('interrupt');
  const run = (): void => void interrupt();
  return large ? (
    <Button icon={<Hand aria-hidden />} onClick={run}>
      {t('talk.interrupt')}
    </Button>
  ) : (
    <IconButton icon={Hand} label={t('talk.interrupt')} hint={interruptKey} onClick={run} />
  );
}

function Begin() {
  const { t } = useTranslation();
  const { start, goOn } = useActions();
  const state = useUiState(({ talkState }) => talkState.value);
  const begin = (): void => {
    void start('audio');
  };
  if (state.phase !== 'ended' || state.offer !== 'continue') {
    return (
      <Button kind="strong" icon={<Mic aria-hidden />} onClick={begin}>
        {t('talk.start')}
      </Button>
    );
  }
  return (
    <>
      <Button kind="strong" onClick={() => void goOn('transcript')}>
        {t('talk.ended.goOn')}
      </Button>
      <IconButton icon={Mic} label={t('talk.ended.anew')} onClick={begin} />
    </>
  );
}

function Wait() {
  const { t } = useTranslation();
  const { end } = useActions();
  const queued = useUiState(({ talkState }) => talkState.value.phase === 'queued');
  return (
    <Button onClick={() => void end()}>{t(queued ? 'talk.leaveQueue' : 'talk.cancel')}</Button>
  );
}
