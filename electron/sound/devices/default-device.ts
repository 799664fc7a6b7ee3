import type { SoundDevice, SoundDriver } from '../../ports/sound.ts';

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
