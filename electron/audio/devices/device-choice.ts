import type { SettingsEditor } from '../../../shared/settings/settings.ts';
import type { SoundDevice, SoundDriver } from './sound-driver.ts';

/** Looks for the system's own device, where streams do not follow it by themselves. */
export function defaultDevice(
  driver: Pick<SoundDriver, 'systemMovesStreams' | 'devices'>,
  isIt: (device: SoundDevice) => boolean,
): (() => Promise<SoundDevice | undefined>) | undefined {
  if (driver.systemMovesStreams) return undefined;
  return async () => {
    const devices = await driver.devices();
    return devices.ok ? devices.value.find(isIt) : undefined;
  };
}

/**
 * The settings as they are, but with the system's devices for those that were chosen before: it may
 * be one of them that no start survives. What is chosen from now on is taken.
 */
export function withDefaultDevices({ get, listen, change }: SettingsEditor): SettingsEditor {
  let chosenBefore: { readonly microphone: unknown; readonly speaker: unknown } | undefined;
  return {
    listen,
    change,
    get: () => {
      const settings = get();
      const { audio } = settings;
      chosenBefore ??= audio;
      const { microphone, speaker } = chosenBefore;
      return {
        ...settings,
        audio: {
          ...audio,
          microphone: audio.microphone === microphone ? 'default' : audio.microphone,
          speaker: audio.speaker === speaker ? 'default' : audio.speaker,
        },
      };
    },
  };
}
