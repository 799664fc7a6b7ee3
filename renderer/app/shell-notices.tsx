import { Check, Undo2, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isTalkOver } from '../../shared/talk/talk-state.ts';
import { Button, IconButton } from '../design/button.tsx';
import { useActions, useUiState } from './use-app-context.ts';
import './shell-notices.css';

/** That something broke and is back, and what was left out for it; until it is put away. */
export function RecoveryNotice() {
  const { t } = useTranslation();
  const { dismissRecovery } = useActions();
  const recovery = useUiState(({ recovery }) => recovery);
  const live = useUiState(({ talkState }) => talkState.value.phase === 'live');
  if (recovery === undefined) return null;
  const talkGoesOn = live && recovery !== 'restarted';
  return (
    <div className="recovery" role="status">
      <p>
        {t(`shell.recovery.${recovery}`)}
        {talkGoesOn && ` ${t('shell.recovery.talkGoesOn')}`}
      </p>
      <IconButton icon={X} label={t('shell.dismiss')} onClick={dismissRecovery} />
    </div>
  );
}

/** That there is a new version: once, and not while somebody talks. */
export function UpdateNotice() {
  const { t } = useTranslation();
  const { readUpdates, updateSeen, openSettings } = useActions();
  const connected = useUiState(({ connection }) => connection === 'connected');
  const { news, step } = useUiState(({ updates }) => updates);
  const quiet = useUiState(({ talkState }) => isTalkOver(talkState.value.phase));
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

/** What was deleted a moment ago, and the way back. */
export function UndoBar() {
  const { t } = useTranslation();
  const { removal } = useActions();
  const removed = useUiState(({ removed }) => removed);
  useEffect(() => {
    const leave = (): void => void removal.finish();
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [removal]);
  return (
    <div className="undo" role="status">
      {removed !== undefined && (
        <div className="undo-bar">
          <p dir="auto">{removed.told}</p>
          <Button kind="quiet" icon={<Undo2 aria-hidden />} onClick={removal.undo}>
            {t('shell.undo.undo')}
          </Button>
          <IconButton icon={X} label={t('shell.dismiss')} onClick={() => void removal.finish()} />
        </div>
      )}
    </div>
  );
}

/** What was done a moment ago by a command, where nothing else on the screen shows it. */
export function ToldLine() {
  const told = useUiState(({ told }) => told);
  return (
    <div className="told" role="status">
      {told !== undefined && (
        <p dir="auto">
          <Check aria-hidden />
          {told}
        </p>
      )}
    </div>
  );
}
