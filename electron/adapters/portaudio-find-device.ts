import { isDeviceNamed } from '../../shared/sound/listed-device.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { DeviceChoice } from '../ports/sound.ts';
import type { NativeDevice } from './portaudio-addon.ts';

/** Which side of a device a stream uses. */
export type Direction = 'input' | 'output';

/** The device that is meant. A name that is not there is an error, never another device. */
export function findDevice(
  devices: readonly NativeDevice[],
  direction: Direction,
  choice: DeviceChoice,
): Outcome<NativeDevice> {
  // A machine without any has a sound server that has stopped more often than nothing to connect to.
  if (devices.length === 0) return failure('soundServerGone');
  const usable = devices.filter((device) => channelsOf(device, direction) > 0);
  if (choice === 'default') {
    const standard = usable.find((device) =>
      direction === 'input' ? device.defaultInput === 1 : device.defaultOutput === 1,
    );
    const found = standard ?? usable[0];
    if (found !== undefined) return { ok: true, value: found };
    return failure(direction === 'input' ? 'noMicrophone' : 'noSpeaker');
  }
  const found = usable.find(
    (device) =>
      isDeviceNamed(device, choice.name) &&
      (choice.hostApi === undefined || device.hostApi === choice.hostApi),
  );
  if (found !== undefined) return { ok: true, value: found };
  const device = choice.name;
  if (usable.length === 0) return failure('noDeviceCalled', { device });
  return failure('deviceMissing', {
    device,
    known: usable.map(({ name }) => `“${name}”`).join(', '),
  });
}

export function channelsOf(device: NativeDevice, direction: Direction): number {
  return direction === 'input' ? device.inputChannels : device.outputChannels;
}
