import { useTranslation } from 'react-i18next';
import type { ListedDevice } from '../../../shared/sound/listed-device.ts';
import { soundChoiceName } from '../../../shared/sound/sound-choice-name.ts';
import { soundChoiceOf, soundChoiceValue } from '../../settings/audio/sound-choice.ts';
import { useSoundDeviceUpdates } from '../../settings/audio/use-sound-device-updates.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { endpointName } from '../session-bar.tsx';
import { FoldedChoice } from './folded-choice.tsx';

/** Microphone and speaker, which change at once, and the server, which the next talk goes to. */
export function DeviceChoices() {
  useSoundDeviceUpdates();
  return (
    <>
      <SoundDevice way="microphone" />
      <SoundDevice way="speaker" />
      <Server />
    </>
  );
}

function has(device: ListedDevice, way: 'microphone' | 'speaker'): boolean {
  return (way === 'microphone' ? device.inputChannels : device.outputChannels) > 0;
}

function SoundDevice({ way }: { readonly way: 'microphone' | 'speaker' }) {
  const { t } = useTranslation();
  const { changeSettings } = useActions();
  const chosen = useUiState(({ settings }) => settings?.audio[way]);
  const devices = useUiState(({ settingsUi }) => settingsUi.devices);
  if (chosen === undefined || devices === undefined) return null;
  const fitting = devices.filter((device) => has(device, way));
  const value = soundChoiceValue(chosen);
  const listed = fitting.map(
    (device) => [soundChoiceValue(device), soundChoiceName(device, fitting)] as const,
  );
  // One that is not there now stays what is wanted.
  const missing = value !== 'default' && listed.every(([one]) => one !== value);
  return (
    <FoldedChoice
      name={t(`settings.rows.audio.${way}.name`)}
      value={value}
      choices={[
        ['default', t('settings.sound.system')],
        ...listed,
        ...(missing
          ? [
              [
                value,
                t('settings.sound.missing', { name: soundChoiceName(chosen, fitting) }),
              ] as const,
            ]
          : []),
      ]}
      choose={(one) => void changeSettings({ audio: { [way]: soundChoiceOf(one) } })}
    />
  );
}

function Server() {
  const { t } = useTranslation();
  const { changeSettings } = useActions();
  const endpoints = useUiState(({ settings }) => settings?.endpoints);
  if (endpoints === undefined || endpoints.list.length < 2) return null;
  return (
    <FoldedChoice
      name={t('talk.server')}
      hint={t('talk.serverHint')}
      value={endpoints.chosen}
      choices={endpoints.list.map(({ id, name }) => [id, endpointName(t, name)] as const)}
      choose={(chosen) => void changeSettings({ endpoints: { chosen } })}
    />
  );
}
