import { isDeviceNamed } from '../../../../shared/sound/listed-device.ts';
import type { DeviceChoice, SoundDevice, SoundDriver } from '../../../ports/sound.ts';
import { CommandError, exitCode } from '../exit-code.ts';

export type SoundDeviceKind = 'microphone' | 'speaker';

export const noSoundDevicesMessage =
  'There is no sound device on this machine: connect one, or start the sound server.';

/** The devices there are; that there is no sound at all ends the command. */
export async function listDevices({
  sound,
}: {
  readonly sound: Pick<SoundDriver, 'devices'>;
}): Promise<readonly SoundDevice[]> {
  const devices = await sound.devices();
  if (devices.ok) return devices.value;
  throw new CommandError(devices.problem, exitCode.noDevice);
}

/** Makes sure that the wanted device is there now. Nobody who named one gets another instead. */
export function requireDevice(
  devices: readonly SoundDevice[],
  use: SoundDeviceKind,
  choice: DeviceChoice,
): void {
  if (devices.length === 0) throw new CommandError(noSoundDevicesMessage, exitCode.noDevice);
  const usable = devices.filter((device) => channelsFor(device, use) > 0);
  if (usable.length === 0) {
    const sentence = `There is no ${use} on this machine: connect one.`;
    throw new CommandError(sentence, exitCode.noDevice);
  }
  if (choice === 'default' || usable.some((device) => isDeviceNamed(device, choice.name))) return;
  const known = [...new Set(usable.map(({ name }) => `"${name}"`))].join(', ');
  const sentence = `There is no ${use} called "${choice.name}"; there are: ${known}.`;
  throw new CommandError(sentence, exitCode.noDevice);
}

export function channelsFor(device: SoundDevice, use: SoundDeviceKind): number {
  return use === 'microphone' ? device.inputChannels : device.outputChannels;
}
