import { Hand, Mic, MicOff, Square } from 'lucide-react';
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
  const { interrupt, setMuted, end } = useActions();
  const muted = useUiState(({ controls }) => controls.muted);
  const open = useUiState(({ controls }) => controls.talking === 'open');
  const interruptKey = useWindowKeySign('interrupt');
  return (
    <>
      {open ? (
        <Button icon={<Hand aria-hidden />} onClick={() => void interrupt()}>
          {t('talk.interrupt')}
        </Button>
      ) : (
        <>
          <PushToTalkButton />
          <IconButton
            icon={Hand}
            label={t('talk.interrupt')}
            hint={interruptKey}
            onClick={() => void interrupt()}
          />
        </>
      )}
      <IconButton
        icon={muted ? MicOff : Mic}
        label={t(muted ? 'talk.unmute' : 'talk.mute')}
        data-held={muted}
        onClick={() => void setMuted(!muted)}
      />
      <IconButton icon={Square} label={t('talk.end')} onClick={() => void end()} />
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

function Wait() {
  const { t } = useTranslation();
  const { end } = useActions();
  const queued = useUiState(({ talkState }) => talkState.value.phase === 'queued');
  return (
    <Button onClick={() => void end()}>{t(queued ? 'talk.leaveQueue' : 'talk.cancel')}</Button>
  );
}
