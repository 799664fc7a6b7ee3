import type { TFunction } from 'i18next';
import { useEffect, useSyncExternalStore } from 'react';
import { type ListedDevice, soundChoiceName } from '../../../shared/audio/listed-device.ts';
import type { SoundChoice } from '../../../shared/settings/audio-settings.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';

const sides = {
  microphone: {
    has: ({ inputChannels }: ListedDevice) => inputChannels > 0,
    isDefault: ({ defaultInput }: ListedDevice) => defaultInput,
  },
  speaker: {
    has: ({ outputChannels }: ListedDevice) => outputChannels > 0,
    isDefault: ({ defaultOutput }: ListedDevice) => defaultOutput,
  },
} as const;

/** Some systems call it just so, which says nothing to anybody. */
export const saysNothing = (name: string | undefined): boolean =>
  name === undefined || name === 'default';

/** What the system's own device is called, where that is more than that. */
export function systemDeviceName(
  way: keyof typeof sides,
  devices: readonly ListedDevice[],
): string | undefined {
  const name = devices.find(sides[way].isDefault)?.name;
  return saysNothing(name) ? undefined : name;
}

/** What can be chosen for one end of the sound: the system's own first, by the name it has at the moment. */
export function deviceChoices(
  t: TFunction,
  way: keyof typeof sides,
  devices: readonly ListedDevice[],
): {
  readonly fitting: readonly ListedDevice[];
  readonly choices: Readonly<Record<string, string>>;
} {
  const { has } = sides[way];
  const name = systemDeviceName(way, devices);
  const fitting = devices.filter(has);
  return {
    fitting,
    choices: {
      default:
        name === undefined ? t('settings.sound.system') : t('settings.sound.systemIs', { name }),
      ...Object.fromEntries(
        fitting.map((device) => [soundChoiceValue(device), soundChoiceName(device, fitting)]),
      ),
    },
  };
}

/** A device as a menu's value; names hold no line breaks. */
export function soundChoiceValue(choice: SoundChoice): string {
  if (choice === 'default') return choice;
  return choice.hostApi === undefined ? choice.name : `${choice.name}\n${choice.hostApi}`;
}

export function soundChoiceOf(value: string): SoundChoice {
  if (value === 'default') return value;
  const [name = '', hostApi] = value.split('\n');
  return hostApi === undefined ? { name } : { name, hostApi };
}

/** Reads the list of sound devices, and has it updated for as long as somebody can see it. */
export function useSoundDeviceUpdates(): void {
  const { setup } = useActions();
  // A page that was cut off is another one to the core, which then does not know that it watches.
  const connected = useUiState(({ connection }) => connection === 'connected');
  const seen = useSyncExternalStore(listenToSight, () => !document.hidden);
  useEffect(() => {
    if (!connected || !seen) return undefined;
    void setup.watchDevices(true);
    void setup.readDevices();
    return () => void setup.watchDevices(false);
  }, [setup, connected, seen]);
}

function listenToSight(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
