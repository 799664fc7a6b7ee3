import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../design/icon-button.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import './recovery-notice.css';

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
