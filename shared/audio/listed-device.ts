import type { SoundChoice } from '../settings/audio-settings.ts';

/** A sound device as the system shows it. It is known by its name and host API, never by a number. */
export interface ListedDevice {
  readonly name: string;
  readonly hostApi: string;
  readonly inputChannels: number;
  readonly outputChannels: number;
  readonly rate: number;
  readonly defaultInput: boolean;
  readonly defaultOutput: boolean;
}

/**
 * Whether a person means this device: by its name, or by `name@host API` where several share a name
 * (on Windows most do).
 */
export function isDeviceNamed(
  device: Pick<ListedDevice, 'name' | 'hostApi'>,
  meant: string,
): boolean {
  return device.name === meant || `${device.name}@${device.hostApi}` === meant;
}

/** Whether two choices mean one device, or two that are listed are one. */
export function isSameDevice(one: SoundChoice, other: SoundChoice): boolean {
  if (one === 'default' || other === 'default') return one === other;
  return one.name === other.name && one.hostApi === other.hostApi;
}

interface NamedDevice {
  readonly name: string;
  readonly hostApi?: string | undefined;
}

/** The host API is said only where two devices share a name, as most do on Windows. */
export function soundChoiceName(choice: SoundChoice, all: readonly NamedDevice[]): string {
  if (choice === 'default') return choice;
  const shared = all.filter(({ name }) => name === choice.name).length > 1;
  return shared && choice.hostApi !== undefined
    ? `${choice.name} (${choice.hostApi})`
    : choice.name;
}
