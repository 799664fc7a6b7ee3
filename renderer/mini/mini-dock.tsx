import { Hand, Mic, MicOff, PhoneOff, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useWindowKeySign } from '../keys/use-window-key-sign.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { PushToTalkButton } from '../talk/push-to-talk-button.tsx';

/** Of the controls, those that one needs while something else is being done. */
export function MiniDock() {
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
