import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import { EchoCancellation } from '../capture/echo-cancellation.ts';
import type { EchoRecording } from '../capture/echo-recorder.ts';
import { AdaptiveCanceller } from './adaptive-canceller.ts';

const block = inputRate / 50;
/** Half a second of sound takes some milliseconds to cancel. */
const pauseEvery = 25 * block;

/**
 * Sends a recording through the canceller of a talk, and returns what goes on from there: as many samples, each 10 ms
 * later. It goes by the clock of the microphone; the stamps of both devices say that they run at the same time. With
 * `pause` others have their turn now and then.
 */
export async function cancelRecording(
  { microphone, played }: EchoRecording,
  pause?: () => Promise<void>,
): Promise<Float32Array> {
  const echo = new EchoCancellation({
    open: () => new AdaptiveCanceller(),
    farEnd: {
      speaker: undefined,
      fill: (reference, from) => {
        const at = Math.round((from * inputRate) / 1000);
        for (let n = 0; n < reference.length; n += 1) reference[n] = played[at + n] ?? 0;
      },
    },
    log: {
      write: (_level, message) => {
        throw new Error(message);
      },
    },
    wanted: () => true,
  });
  echo.begin(undefined);
  // The canceller is fetched.
  await Promise.resolve();
  if (echo.state === 'off') throw new Error('There is no canceller yet.');
  const left = new Float32Array(microphone.length);
  let count = 0;
  for (let from = 0; from + block <= microphone.length; from += block) {
    const part = echo.process(microphone.slice(from, from + block), (from * 1000) / inputRate);
    left.set(part.subarray(0, left.length - count), count);
    count += part.length;
    if (from % pauseEvery === 0) await pause?.();
  }
  echo.close();
  return left;
}
