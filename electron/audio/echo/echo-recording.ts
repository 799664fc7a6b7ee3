import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { joinSamples } from '../dsp/samples.ts';
import { AdaptiveCanceller } from './adaptive-canceller.ts';
import { EchoCancellation } from './echo-cancellation.ts';
import { echoBlockSamples, type EchoCanceller } from './echo-canceller.ts';
import { EchoDelay } from './echo-delay.ts';

/** A microphone's sound, and what was played meanwhile: sample beside sample, at 16 kHz. */
export interface EchoRecording {
  readonly microphone: Float32Array;
  readonly played: Float32Array;
}

/**
 * Stands where a canceller stands and takes nothing out. It keeps what a canceller would be given, aligned by the
 * stamps of the devices as in a talk, so that a recording can be judged afterwards by what a talk would do about it.
 */
export class EchoRecorder implements EchoCanceller {
  readonly finding = 'unknown';
  readonly hearsSomebody = false;
  /** The reference stands at the time of the frame; a canceller that reads it chooses its own lead. */
  readonly aheadMs = 0;
  #frames: EchoRecording[] = [];
  #records = false;

  /** From here on, and without what was before. */
  begin(): void {
    this.#frames = [];
    this.#records = true;
  }

  /** Stops, and gives back what there is. */
  take(): EchoRecording {
    this.#records = false;
    const frames = this.#frames;
    this.#frames = [];
    return {
      microphone: joinSamples(frames.map(({ microphone }) => microphone)),
      played: joinSamples(frames.map(({ played }) => played)),
    };
  }

  process(frame: Float32Array, farEnd: Float32Array): Float32Array {
    if (this.#records) this.#frames.push({ microphone: frame.slice(), played: farEnd.slice() });
    return frame;
  }

  rejoin(): void {
    // Both sides have the same gap.
  }

  reset(): void {
    // Another device is another frame like those before.
  }
}

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

/** Stamps are not exact: an echo may seem to come before what is played. */
const aheadMs = 20;
/** A softer sample is no sound of the speaker. */
const audible = 1e-4;
/** One alone may be chance. */
const fewestFinds = 2;

/** How late the echo comes in a whole recording, in milliseconds; nothing where none is heard. */
export function echoDelayOf({ microphone, played }: EchoRecording): number | undefined {
  const delay = new EchoDelay();
  const ahead = (aheadMs * inputRate) / 1000;
  const finds: number[] = [];
  for (let from = 0; from + echoBlockSamples <= microphone.length; from += echoBlockSamples) {
    const reference = new Float32Array(echoBlockSamples);
    reference.set(played.subarray(from + ahead, from + ahead + echoBlockSamples));
    const isPlayed = reference.some((sample) => Math.abs(sample) > audible);
    const found = delay.follow(
      microphone.subarray(from, from + echoBlockSamples),
      reference,
      isPlayed,
    );
    if (found !== undefined) finds.push(found - aheadMs);
  }
  if (finds.length < fewestFinds) return undefined;
  return finds.toSorted((a, b) => a - b)[finds.length >> 1];
}
