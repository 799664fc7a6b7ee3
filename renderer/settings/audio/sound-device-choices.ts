import type { TFunction } from 'i18next';
import { useEffect, useSyncExternalStore } from 'react';
import {
  type ListedDevice,
  soundChoiceName,
  type SoundChoice,
} from '../../../shared/settings/audio-settings.ts';
import { useActions, useUiState } from '../../app/app-context.ts';

const deviceKinds = {
  microphone: {
    has: ({ inputChannels }: ListedDevice) => inputChannels > 0,
    isDefault: ({ defaultInput }: ListedDevice) => defaultInput,
  },
  speaker: {
    has: ({ outputChannels }: ListedDevice) => outputChannels > 0,
    isDefault: ({ defaultOutput }: ListedDevice) => defaultOutput,
  },
} as const;

/** Some systems name the device just "default". */
export const isGenericName = (name: string | undefined): boolean =>
  name === undefined || name === 'default';

/** Name of the default device, if it is meaningful. */
export function systemDeviceName(
  kind: keyof typeof deviceKinds,
  devices: readonly ListedDevice[],
): string | undefined {
  const name = devices.find(deviceKinds[kind].isDefault)?.name;
  return isGenericName(name) ? undefined : name;
}

/** Choices for one direction; the system default comes first, with its current name. */
export function deviceChoices(
  t: TFunction,
  kind: keyof typeof deviceKinds,
  devices: readonly ListedDevice[],
): {
  readonly usableDevices: readonly ListedDevice[];
  readonly choices: Readonly<Record<string, string>>;
} {
  const { has: isUsable } = deviceKinds[kind];
  const name = systemDeviceName(kind, devices);
  const usableDevices = devices.filter(isUsable);
  return {
    usableDevices,
    choices: {
      default:
        name === undefined ? t('settings.sound.system') : t('settings.sound.systemIs', { name }),
      ...Object.fromEntries(
        usableDevices.map((device) => [
          soundChoiceValue(device),
          soundChoiceName(device, usableDevices),
        ]),
      ),
    },
  };
}

/** The menu value of a device: its name and, on a second line, its host API. Names contain no line breaks. */
export function soundChoiceValue(choice: SoundChoice): string {
  if (choice === 'default') return choice;
  return choice.hostApi === undefined ? choice.name : `${choice.name}\n${choice.hostApi}`;
}

export function parseSoundChoice(value: string): SoundChoice {
  if (value === 'default') return value;
  const [name = '', hostApi] = value.split('\n');
  return hostApi === undefined ? { name } : { name, hostApi };
}

/** Reads the devices and keeps the list current while the page is visible. */
export function useSoundDeviceUpdates(): void {
  const { setup } = useActions();
  // After a reconnect the core does not know that this page watches.
  const isConnected = useUiState(({ connection }) => connection === 'connected');
  const isVisible = useSyncExternalStore(onVisibilityChange, () => !document.hidden);
  useEffect(() => {
    if (!isConnected || !isVisible) return undefined;
    void setup.watchDevices(true);
    void setup.readDevices();
    return () => void setup.watchDevices(false);
  }, [setup, isConnected, isVisible]);
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
