import type { CaptureListener, MicrophoneStream, SoundDevice } from '../ports/sound.ts';
import { Liveness } from './portaudio-liveness.ts';
import { counterAt, counterCount } from './portaudio-addon.ts';
import type { NativeSound, NativeStream } from './portaudio-addon.ts';

const blocksPerSecond = 50;

/** A stream to be read from, and its rate. */
interface ReadStream {
  readonly stream: NativeStream;
  readonly rate: number;
}

/** Takes out of the addon what it has gathered, in blocks; the rest of one stays in its ring. */
export class BlockReader {
  readonly #native: NativeSound;
  readonly #listener: CaptureListener;
  readonly #counters = new Float64Array(counterCount);
  #source: ReadStream | undefined;

  constructor(native: NativeSound, listener: CaptureListener) {
    this.#native = native;
    this.#listener = listener;
  }

  static blockSamples(rate: number): number {
    return Math.round(rate / blocksPerSecond);
  }

  begin(source: ReadStream): void {
    this.#source = source;
  }

  stop(): void {
    this.#source = undefined;
  }

  /** The addon calls whenever it has a block; at first there may be no stream to read it from. */
  readonly drain = (): void => {
    if (this.#source === undefined) return;
    const { stream, rate } = this.#source;
    const blockSamples = BlockReader.blockSamples(rate);
    const counters = this.#counters;
    this.#native.readCounters(stream, counters);
    const blocks = Math.floor((counters[counterAt.queued] ?? 0) / blockSamples);
    const from = (counters[counterAt.moved] ?? 0) - (counters[counterAt.markPosition] ?? 0);
    const began = (counters[counterAt.markTime] ?? 0) + from / rate;
    for (let block = 0; block < blocks; block += 1) {
      const samples = new Float32Array(blockSamples);
      this.#native.take(stream, samples);
      this.#listener.captured(samples, (began + (block * blockSamples) / rate) * 1000);
    }
  };
}

/** A microphone stream of the addon, as the port has it. */
export function microphoneStream(
  native: NativeSound,
  stream: NativeStream,
  device: SoundDevice,
  rate: number,
  close: () => Promise<void>,
): MicrophoneStream {
  const counters = new Float64Array(counterCount);
  const liveness = new Liveness();
  let closed = false;
  return {
    device,
    rate,
    stats: () => {
      if (!closed) native.readCounters(stream, counters);
      return {
        alive: !closed && liveness.of(counters),
        captured: counters[counterAt.underrunsOrCaptured] ?? 0,
        lost: counters[counterAt.missedOrLost] ?? 0,
        repaired: counters[counterAt.repaired] ?? 0,
        latencyMs: (counters[counterAt.latency] ?? 0) * 1000,
      };
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await close();
    },
  };
}
