import { Mic } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { soundChoiceName } from '../../../shared/sound/sound-choice-name.ts';
import { Menu, MenuChoice } from '../../design/menu.tsx';
import {
  deviceChoices,
  saysNothing,
  systemDeviceName,
} from '../../settings/audio/device-choices.ts';
import { soundChoiceOf, soundChoiceValue } from '../../settings/audio/sound-choice.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { IdleChoiceButton } from './idle-choice-button.tsx';

/** By what the person will be heard. The list is read when it is opened: to look for devices takes its time. */
export function MicrophoneMenu() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const chosen = useUiState(({ settings }) => settings?.audio.microphone ?? 'default');
  const devices = useUiState(({ settingsUi }) => settingsUi.devices) ?? [];
  const heard = useUiState(({ settingsUi }) => settingsUi.meter?.device);
  const { fitting, choices } = deviceChoices(t, 'microphone', devices);
  const value = soundChoiceValue(chosen);
  const missing = chosen === 'default' ? {} : { [value]: soundChoiceName(chosen, fitting) };
  const system = saysNothing(heard) ? systemDeviceName('microphone', devices) : heard;
  const name =
    chosen === 'default'
      ? (system ?? t('aroundTalk.idle.systemMicrophone'))
      : soundChoiceName(chosen, fitting);
  const what = t('aroundTalk.idle.microphone');
  return (
    <Menu
      opened={() => void setup.readDevices()}
      trigger={<IdleChoiceButton icon={Mic} what={what} chosen={name} />}
    >
      <MenuChoice
        name={what}
        value={value}
        choices={{ ...missing, ...choices }}
        choose={(device) =>
          void setup.choose('audio.microphone', { audio: { microphone: soundChoiceOf(device) } })
        }
      />
    </Menu>
  );
}
