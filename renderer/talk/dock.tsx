import { Camera, Mic, MonitorUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { stageState } from '../store/talk/stage-state.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { EndButton } from './dock-parts/end-button.tsx';
import { LiveControls } from './dock-parts/live-controls.tsx';
import { IncognitoSwitch } from './incognito-switch.tsx';

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
