import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { joinSamples } from '../dsp/samples.ts';
import { AdaptiveCanceller } from './adaptive-canceller.ts';
import { EchoCancellation } from './echo-cancellation.ts';
import { echoBlockSamples, type EchoCanceller } from './echo-canceller.ts';
import { EchoDelayEstimator } from './echo-delay.ts';

/** A microphone's sound and the far end, aligned sample by sample, at 16 kHz. */
export interface EchoRecording {
  readonly microphone: Float32Array;
  readonly played: Float32Array;
}

/**
 * Takes the place of a canceller and passes the sound unchanged. It records what a canceller would receive,
 * aligned by device timestamps, so a recording can be judged with the canceller of a talk.
 */
export class EchoRecorder implements EchoCanceller {
  readonly finding = 'unknown';
  readonly nearEndPresence = undefined;
  /** Records the far end without a lead. A canceller that processes the recording adds its own. */
  readonly leadMs = 0;
  readonly delayMs = 0;
  #frames: EchoRecording[] = [];
  #isRecording = false;

  begin(): void {
    this.#frames = [];
    this.#isRecording = true;
  }

  take(): EchoRecording {
    this.#isRecording = false;
    const frames = this.#frames;
    this.#frames = [];
    return {
      microphone: joinSamples(frames.map(({ microphone }) => microphone)),
      played: joinSamples(frames.map(({ played }) => played)),
    };
  }

  process(frame: Float32Array, farEnd: Float32Array): Float32Array {
    if (this.#isRecording) this.#frames.push({ microphone: frame.slice(), played: farEnd.slice() });
    return frame;
  }

  resume(): void {
    // The microphone's sound and the far end have the same gap, so they stay aligned.
  }

  reset(): void {
    // Frames of a new device are recorded like those before.
  }
}

const block = inputRate / 50;
/** Other tasks may run after each half second of sound, which takes some milliseconds to process. */
const pauseEverySamples = 25 * block;

/**
 * Runs the canceller of a talk on a recording and returns its output: as many samples, 10 ms late. `pause` lets other
 * tasks run in between.
 */
export async function removeEchoFromRecording(
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
    isEnabled: () => true,
  });
  echo.begin(undefined);
  const output = new Float32Array(microphone.length);
  let count = 0;
  for (let from = 0; from + block <= microphone.length; from += block) {
    const part = echo.process(microphone.slice(from, from + block), (from * 1000) / inputRate);
    output.set(part.subarray(0, output.length - count), count);
    count += part.length;
    if (from % pauseEverySamples === 0) await pause?.();
  }
  echo.close();
  return output;
}

/** Timestamps are inexact, so an echo can seem to precede its sound. */
const leadMs = 20;
const audible = 1e-4;
const minResults = 2;

/** The echo delay of a whole recording, in milliseconds; undefined if no echo is found. */
export function measureEchoDelay({ microphone, played }: EchoRecording): number | undefined {
  const delay = new EchoDelayEstimator();
  const leadSamples = (leadMs * inputRate) / 1000;
  const results: number[] = [];
  for (let from = 0; from + echoBlockSamples <= microphone.length; from += echoBlockSamples) {
    const reference = new Float32Array(echoBlockSamples);
    reference.set(played.subarray(from + leadSamples, from + leadSamples + echoBlockSamples));
    const isPlayed = reference.some((sample) => Math.abs(sample) > audible);
    const found = delay.follow(
      microphone.subarray(from, from + echoBlockSamples),
      reference,
      isPlayed,
    );
    if (found !== undefined) results.push(found - leadMs);
  }
  if (results.length < minResults) return undefined;
  return results.toSorted((a, b) => a - b)[results.length >> 1];
}
