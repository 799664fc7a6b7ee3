import { Mic, MicOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
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
  return (
    <>
      <PushToTalkButton />
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
