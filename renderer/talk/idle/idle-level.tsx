import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { MicrophoneLevelBar } from '../../parts/microphone-level-bar.tsx';
import { useFieldProblem } from '../../settings/controls/use-field-problem.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';

const key = 'parley.idle-level';

/**
 * How loud the microphone is before a talk. It is opened for whoever has once asked for it, and only while this window
 * is the one in use: nobody's microphone is open behind their back.
 */
export function IdleLevel() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const [wanted, setWanted] = useState(() => localStorage.getItem(key) !== null);
  const inUse = useSyncExternalStore(listenToUse, () => document.hasFocus());
  const metering = useUiState(({ settingsUi }) => settingsUi.meter !== undefined);
  const problem = useFieldProblem('meter');
  const opens = wanted && inUse;
  useEffect(() => {
    if (!opens) return undefined;
    void setup.setMeter(true);
    return () => void setup.setMeter(false);
  }, [setup, opens]);
  const choose = (next: boolean): void => {
    if (next) localStorage.setItem(key, 'yes');
    else localStorage.removeItem(key);
    setWanted(next);
  };
  return (
    <div className="idle-level">
      {opens && metering && <MicrophoneLevelBar label={t('aroundTalk.idle.level')} />}
      <Button
        onClick={() => {
          choose(!wanted);
        }}
      >
        {t(wanted ? 'aroundTalk.idle.hideLevel' : 'aroundTalk.idle.showLevel')}
      </Button>
      {opens && problem !== undefined && (
        <p className="idle-problem" role="alert" dir="auto">
          {problem}
        </p>
      )}
    </div>
  );
}

function listenToUse(changed: () => void): () => void {
  const leaving = new AbortController();
  window.addEventListener('focus', changed, leaving);
  window.addEventListener('blur', changed, leaving);
  return () => {
    leaving.abort();
  };
}
