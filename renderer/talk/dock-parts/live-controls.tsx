import { Mic, MicOff, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { useWindowKeySign } from '../../keys/use-window-key-sign.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { InterruptButton } from '../interrupt-button.tsx';
import { PushToTalkButton } from '../push-to-talk-button.tsx';
import { CaptureButtons } from './capture-buttons.tsx';
import { EndButton } from './end-button.tsx';
import { MorePanel } from './more-panel.tsx';

/** In sight what is used in every talk, the rest behind one button, and End apart from all of it. */
export function LiveControls() {
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
