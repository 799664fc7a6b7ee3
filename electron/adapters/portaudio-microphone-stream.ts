import type { MicrophoneStream, SoundDevice } from '../ports/sound.ts';
import { Liveness } from './portaudio-liveness.ts';
import { counterAt, counterCount } from './portaudio-addon.ts';
import type { NativeSound, NativeStream } from './portaudio-addon.ts';

/** Takes out of the addon what it has gathered, in blocks; the rest of one stays in its ring. */
export class BlockReader {
  readonly #native: NativeSound;
  readonly #stream: NativeStream;
  readonly #rate: number;
  readonly #blockSamples: number;
  readonly #hear: (block: Float32Array, capturedAt: number) => void;
  readonly #figures = new Float64Array(counterCount);

  constructor(
    native: NativeSound,
    stream: NativeStream,
    rate: number,
    blockSamples: number,
    hear: (block: Float32Array, capturedAt: number) => void,
  ) {
    this.#native = native;
    this.#stream = stream;
    this.#rate = rate;
    this.#blockSamples = blockSamples;
    this.#hear = hear;
  }

  drain(): void {
    const figures = this.#figures;
    this.#native.look(this.#stream, figures);
    const blocks = Math.floor((figures[counterAt.queued] ?? 0) / this.#blockSamples);
    const from = (figures[counterAt.moved] ?? 0) - (figures[counterAt.markPosition] ?? 0);
    const began = (figures[counterAt.markTime] ?? 0) + from / this.#rate;
    for (let block = 0; block < blocks; block += 1) {
      const samples = new Float32Array(this.#blockSamples);
      this.#native.take(this.#stream, samples);
      this.#hear(samples, (began + (block * this.#blockSamples) / this.#rate) * 1000);
    }
  }
}

/** A microphone stream of the addon, as the port has it. */
export function microphoneStream(
  native: NativeSound,
  stream: NativeStream,
  device: SoundDevice,
  rate: number,
  close: () => Promise<void>,
): MicrophoneStream {
  const figures = new Float64Array(counterCount);
  const liveness = new Liveness();
  let closed = false;
  return {
    device,
    rate,
    stats: () => {
      if (!closed) native.look(stream, figures);
      return {
        alive: !closed && liveness.of(figures),
        captured: figures[counterAt.underrunsOrCaptured] ?? 0,
        lost: figures[counterAt.missedOrLost] ?? 0,
        repaired: figures[counterAt.repaired] ?? 0,
        latencyMs: (figures[counterAt.latency] ?? 0) * 1000,
      };
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await close();
    },
  };
}
