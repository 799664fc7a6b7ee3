import { Hand, Maximize2, Mic, MicOff, X } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { PlaceBoundary } from '../app/place-boundary.tsx';
import { RecoveryNotice } from '../app/shell-notices.tsx';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { useAppearance } from '../app/use-appearance.ts';
import { Button, IconButton } from '../design/button.tsx';
import { useWindowKeydown } from '../keys/use-window-keydown.ts';
import { CaptionLiveRegion } from '../talk/captions/caption-live-region.tsx';
import { CaptureMark } from '../talk/session-bar.tsx';
import {
  EndButton,
  InterruptButton,
  MuteButton,
  PushToTalkButton,
  ResumeButton,
  WaitButton,
} from '../talk/talk-buttons.tsx';
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
  useWindowKeydown((event) => {
    if (event.key.toLowerCase() !== 'w' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!event.repeat) void closeMini();
  });
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
      {(phase === 'connecting' || phase === 'queued' || phase === 'reconnecting') && (
        <WaitButton queued={phase === 'queued'} />
      )}
    </section>
  );
}

function Live() {
  const { t } = useTranslation();
  const { setMuted, interrupt } = useActions();
  const { muted, paused, talking } = useUiState(({ controls }) => controls);
  return (
    <>
      {/* The largest is what one needs now: the way back from silence, the key to talk with, or a word to be had. */}
      {paused && <ResumeButton kind="plain" />}
      {!paused && talking !== 'open' && <PushToTalkButton />}
      {!paused && talking === 'open' && muted && (
        <Button icon={<MicOff aria-hidden />} onClick={() => void setMuted(false)}>
          {t('talk.unmute')}
        </Button>
      )}
      {!paused &&
        (talking === 'open' && !muted ? (
          <Button icon={<Hand aria-hidden />} onClick={() => void interrupt()}>
            {t('talk.interrupt')}
          </Button>
        ) : (
          <InterruptButton />
        ))}
      {(talking !== 'open' || paused || !muted) && <MuteButton />}
      <EndButton />
    </>
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
