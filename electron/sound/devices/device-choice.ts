import type { DeviceChoice, SoundDevice, SoundDriver } from '../../ports/sound.ts';

/** Whether two choices mean one device. */
export function isSameDevice(one: DeviceChoice, other: DeviceChoice): boolean {
  if (one === 'default' || other === 'default') return one === other;
  return one.name === other.name && one.hostApi === other.hostApi;
}

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
