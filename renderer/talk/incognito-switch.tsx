import { EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../store/use-app-context.ts';

/** Beside Start: whether the next talk leaves anything on this machine. */
export function IncognitoSwitch() {
  const { t } = useTranslation();
  const { history } = useActions();
  const on = useUiState(({ keeping }) => keeping.incognito);
  return (
    <div className="incognito">
      <button
        type="button"
        role="switch"
        className="incognito-switch"
        aria-checked={on}
        aria-describedby="incognito-hint"
        onClick={() => void history.setIncognito(!on)}
      >
        <EyeOff strokeWidth={1.75} aria-hidden />
        {t('history.incognito.name')}
        <span className="switch-track" />
      </button>
      <p id="incognito-hint" className={on ? 'incognito-on' : 'only-heard'}>
        {t(on ? 'history.incognito.on' : 'history.incognito.hint')}
      </p>
    </div>
  );
}
