import { isDeviceNamed } from '../../../shared/audio/listed-device.ts';
import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import type { DeviceChoice } from '../../audio/devices/sound-driver.ts';
import { timedOut } from '../system/system-clock.ts';
import type { NativeDevice, NativeStream, StreamPlan } from './portaudio-addon.ts';

/** 10 ms a callback and 20 ms in the device: what was measured to be stable and still quick. */
const callbacksPerSecond = 100;
const latencySeconds = 0.02;
/** The main thread may stand still for as long; what there is no room for yet waits with those who wrote it. */
const ringSeconds = { input: 4, output: 10 } as const;

/** A stream of the addon with the device it runs on. */
export interface OpenedStream {
  readonly stream: NativeStream;
  readonly rate: number;
}

/**
 * Opens a device with one channel at the rate that is wanted. One that takes only its own channels
 * or its own rate is opened with those; whoever asked sees the rate and converts.
 */
export async function openStream(
  copy: number,
  device: NativeDevice,
  direction: Direction,
  wantedRate: number,
  open: (plan: StreamPlan) => Promise<NativeStream | typeof timedOut>,
): Promise<Outcome<OpenedStream>> {
  const maxChannels = channelsOf(device, direction);
  const channels = [...new Set([1, Math.min(2, maxChannels), maxChannels])];
  let refusal = '';
  // Whatever a driver says of itself, sound is converted between whole rates.
  for (const rate of new Set([wantedRate, Math.round(device.rate)])) {
    for (const count of channels) {
      try {
        const plan: StreamPlan = {
          copy,
          device: device.index,
          rate,
          channels: count,
          framesPerBuffer: Math.round(rate / callbacksPerSecond),
          latency: latencySeconds,
          ringSamples: rate * ringSeconds[direction],
        };
        const stream = await open(plan);
        if (stream !== timedOut) return { ok: true, value: { stream, rate } };
        return failure('deviceSilent', { device: device.name });
      } catch (error) {
        refusal = describeError(error);
      }
    }
  }
  return refused(device.name, refusal);
}

function refused(name: string, refusal: string): Failure {
  if (/unavailable|busy/i.test(refusal)) {
    return failure('deviceTaken', { device: name }, { detail: refusal });
  }
  return failure('deviceBroken', { device: name }, { detail: refusal });
}

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

function channelsOf(device: NativeDevice, direction: Direction): number {
  return direction === 'input' ? device.inputChannels : device.outputChannels;
}
