import type { SoundChoice } from '../settings/audio-settings.ts';

/** A sound device as the system lists it, identified by name and host API, because numbers change. */
export interface ListedDevice {
  readonly name: string;
  readonly hostApi: string;
  readonly inputChannels: number;
  readonly outputChannels: number;
  readonly rate: number;
  readonly defaultInput: boolean;
  readonly defaultOutput: boolean;
}

/** Whether the text names this device, as `name` or as `name@host API` where names are shared. */
export function isDeviceNamed(
  device: Pick<ListedDevice, 'name' | 'hostApi'>,
  text: string,
): boolean {
  return device.name === text || `${device.name}@${device.hostApi}` === text;
}

export function isSameDevice(one: SoundChoice, other: SoundChoice): boolean {
  if (one === 'default' || other === 'default') return one === other;
  return one.name === other.name && one.hostApi === other.hostApi;
}

interface NamedDevice {
  readonly name: string;
  readonly hostApi?: string | undefined;
}

/** Returns a name to show. It includes the host API only if several devices share the name, as on Windows. */
export function soundChoiceName(choice: SoundChoice, devices: readonly NamedDevice[]): string {
  if (choice === 'default') return choice;
  const isShared = devices.filter(({ name }) => name === choice.name).length > 1;
  return isShared && choice.hostApi !== undefined
    ? `${choice.name} (${choice.hostApi})`
    : choice.name;
}
