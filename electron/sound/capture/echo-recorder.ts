import { echoBlockSamples } from './echo-canceller.ts';
import type { EchoCanceller } from './echo-canceller.ts';

/** What a microphone heard, and what was played while it heard that: sample beside sample, at 16 kHz. */
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
    const length = frames.length * echoBlockSamples;
    const [microphone, played] = [new Float32Array(length), new Float32Array(length)];
    frames.forEach((frame, n) => {
      microphone.set(frame.microphone, n * echoBlockSamples);
      played.set(frame.played, n * echoBlockSamples);
    });
    return { microphone, played };
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

  close(): void {
    this.#records = false;
  }
}
