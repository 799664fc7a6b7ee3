import { defaultSettings } from '../../../shared/settings/default-settings.ts';
import { useTalkKeyName } from '../../keys/use-talk-key-name.ts';
import { useSettingsGroup } from '../controls/use-settings-group.ts';
import { KeyRecorder } from './key-recorder.tsx';

/** The key that talks while the window has the keyboard. */
export function TalkKeyField() {
  const { key } = useSettingsGroup('talking');
  const name = useTalkKeyName();
  return (
    <KeyRecorder
      at="talking.key"
      owner="talk"
      value={key}
      defaultValue={defaultSettings.talking.key}
      signs={[name]}
    />
  );
}
