import { isDeviceNamed } from '../../../../shared/sound/listed-device.ts';
import type { SoundDriver } from '../../../ports/sound.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { DeviceChoice, SoundDevice } from '../../../ports/sound.ts';
import { CommandError, exitCode } from '../exit-code.ts';

export type SoundDeviceKind = 'microphone' | 'speaker';

/** The devices there are; that there is no sound at all ends the command. */
export async function listDevices({
  sound,
}: {
  readonly sound: Pick<SoundDriver, 'devices'>;
}): Promise<readonly SoundDevice[]> {
  const devices = await sound.devices();
  if (devices.ok) return devices.value;
  throw noDevice(devices.error);
}

/** Makes sure that the wanted device is there now. Nobody who named one gets another instead. */
export function requireDevice(
  devices: readonly SoundDevice[],
  use: SoundDeviceKind,
  choice: DeviceChoice,
): void {
  if (devices.length === 0) throw noDevice(appError('noSoundDevices'));
  const usable = devices.filter((device) => channelsFor(device, use) > 0);
  if (usable.length === 0) {
    throw noDevice(appError(use === 'microphone' ? 'noMicrophone' : 'noSpeaker'));
  }
  if (choice === 'default' || usable.some((device) => isDeviceNamed(device, choice.name))) return;
  const known = [...new Set(usable.map(({ name }) => `“${name}”`))].join(', ');
  throw noDevice(appError('deviceMissing', { device: choice.name, known }));
}

function noDevice(error: AppError): CommandError {
  return new CommandError(describeAppError(error), exitCode.noDevice);
}

export function channelsFor(device: SoundDevice, use: SoundDeviceKind): number {
  return use === 'microphone' ? device.inputChannels : device.outputChannels;
}
