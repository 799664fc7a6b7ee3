import { X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';
import './recovery/recovery-notice.css';

/** That there is a new version: once, and not while somebody talks. */
export function UpdateNotice() {
  const { t } = useTranslation();
  const { readUpdates, updateSeen, openSettings } = useActions();
  const connected = useUiState(({ connection }) => connection === 'connected');
  const { news, step } = useUiState(({ updates }) => updates);
  const quiet = useUiState(
    ({ talkState }) => talkState.value.phase === 'idle' || talkState.value.phase === 'ended',
  );
  useEffect(() => {
    if (connected) void readUpdates();
  }, [connected, readUpdates]);
  if (news === undefined || !quiet || (step.kind !== 'ready' && step.kind !== 'offered'))
    return null;
  const show = (): void => {
    void updateSeen();
    openSettings('about');
  };
  return (
    <div className="recovery" role="status">
      <p>{t(`settings.updates.steps.${step.kind}`, { version: news })}</p>
      <div className="recovery-ways">
        <Button onClick={show}>{t('settings.updates.show')}</Button>
        <IconButton icon={X} label={t('shell.dismiss')} onClick={() => void updateSeen()} />
      </div>
    </div>
  );
}
