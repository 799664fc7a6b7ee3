import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { useUiState } from '../store/use-app-context.ts';

const key = 'parley.mini-understood';

/** Said once: that a talk goes on in here although the large window was closed. */
export function StandInNotice() {
  const { t } = useTranslation();
  const away = useUiState(({ windows }) => windows?.main === false);
  const stays = useUiState(({ windows }) => windows?.stays === true);
  const talking = useUiState(({ talkState }) => !['idle', 'ended'].includes(talkState.value.phase));
  const [understood, setUnderstood] = useState(() => localStorage.getItem(key) !== null);
  if (!away || !talking || understood) return null;
  return (
    <div className="mini-event" role="status">
      <p>{t(stays ? 'mini.standsInKept' : 'mini.standsIn')}</p>
      <Button
        onClick={() => {
          localStorage.setItem(key, 'true');
          setUnderstood(true);
        }}
      >
        {t('mini.understood')}
      </Button>
    </div>
  );
}
