import { useTranslation } from 'react-i18next';
import { windowKeyNames } from '../../../shared/settings/key-settings.ts';
import { defaultSettings } from '../../../shared/settings/default-settings.ts';
import { Button } from '../../design/button.tsx';
import { windowKeySigns } from '../../keys/window-keys.ts';
import { useActions } from '../../store/use-app-context.ts';
import { useSettingsGroup } from '../controls/use-settings-group.ts';
import { KeyRecorder } from './key-recorder.tsx';
import { TalkKeyField } from './talk-key-field.tsx';

/** Every key of the window; those of texts and lists are as everywhere. */
export function KeysSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const keys = useSettingsGroup('keys');
  const names = t('keys', { returnObjects: true });
  const changed = windowKeyNames.some((name) => keys[name] !== defaultSettings.keys[name]);
  return (
    <>
      <h1>{t('settings.sections.keys')}</h1>
      <TalkKeyField />
      {windowKeyNames.map((name) => (
        <KeyRecorder
          key={name}
          at={`keys.${name}`}
          owner={name}
          value={keys[name]}
          defaultValue={defaultSettings.keys[name]}
          signs={windowKeySigns(keys, name, names, navigator.platform)}
        />
      ))}
      {changed && (
        <Button onClick={() => void setup.resetKeys()}>{t('settings.keys.resetAll')}</Button>
      )}
    </>
  );
}
