import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { keyName } from '../../keys/key-name.ts';
import { messagesOf } from '../../i18n/create-i18n.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** A key that has something to do already: taken from there, or left. */
export function KeyConflict() {
  const { t, i18n } = useTranslation();
  const { setup } = useActions();
  const conflict = useUiState(({ settingsUi }) => settingsUi.keyConflict);
  if (conflict === undefined) return null;
  const { rows, keys } = messagesOf(i18n).settings;
  const others = conflict.others.map((other) =>
    other === 'talk' || other === 'global' ? keys.owners[other] : rows.keys[other].name,
  );
  const key = keyName(conflict.key, t('keys', { returnObjects: true }));
  return (
    <div className="key-conflict" role="alert">
      <p>{t('settings.keys.taken', { key, others: others.join(t('settings.keys.and')) })}</p>
      <Button kind="strong" onClick={() => void setup.takeKey()}>
        {t('settings.keys.take')}
      </Button>
      <Button
        onClick={() => {
          setup.leaveKey();
        }}
      >
        {t('settings.keys.leave')}
      </Button>
    </div>
  );
}
