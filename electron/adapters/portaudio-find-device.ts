import { isDeviceNamed } from '../../shared/sound/listed-device.ts';
import type { DeviceWhy } from '../../shared/why.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { DeviceChoice } from '../ports/sound.ts';
import type { NativeDevice } from './portaudio-addon.ts';

export type Direction = 'input' | 'output';

const words = { input: 'microphone', output: 'speaker' } as const;

/** The device that is meant. A name that is not there is a problem, never another device. */
export function findDevice(
  devices: readonly NativeDevice[],
  direction: Direction,
  choice: DeviceChoice,
): Outcome<NativeDevice> {
  const usable = devices.filter((device) => channelsOf(device, direction) > 0);
  if (choice === 'default') {
    const standard = usable.find((device) =>
      direction === 'input' ? device.defaultInput === 1 : device.defaultOutput === 1,
    );
    const found = standard ?? usable[0];
    if (found !== undefined) return { ok: true, value: found };
    const why = direction === 'input' ? 'noMicrophone' : 'noSpeaker';
    return problem(`There is no ${words[direction]} on this machine: connect one.`, why);
  }
  const found = usable.find(
    (device) =>
      isDeviceNamed(device, choice.name) &&
      (choice.hostApi === undefined || device.hostApi === choice.hostApi),
  );
  if (found !== undefined) return { ok: true, value: found };
  const known = usable.map(({ name }) => `"${name}"`).join(', ');
  return problem(
    `There is no ${words[direction]} called "${choice.name}"; ` +
      (known === '' ? 'none is connected.' : `there are: ${known}.`),
    'missing',
  );
}

export function channelsOf(device: NativeDevice, direction: Direction): number {
  return direction === 'input' ? device.inputChannels : device.outputChannels;
}

function problem(sentence: string, why: DeviceWhy): Outcome<never> {
  return { ok: false, problem: sentence, why };
}
