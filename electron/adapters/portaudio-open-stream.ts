import { failure } from '../../shared/errors/app-error.ts';
import { describeError } from '../../shared/describe-error.ts';
import type { Failure } from '../../shared/errors/app-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import { channelsOf } from './portaudio-find-device.ts';
import type { Direction } from './portaudio-find-device.ts';
import type { NativeDevice, NativeStream, StreamPlan } from './portaudio-addon.ts';
import { timedOut } from './with-timeout.ts';

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
