import type { MicrophoneStream, SoundDevice } from '../../ports.ts';
import type { CloseStream } from './close-stream.ts';
import { Liveness } from './liveness.ts';
import { figureAt, figureCount } from './native-sound.ts';
import type { NativeSound, NativeStream } from './native-sound.ts';

/** Everything the addon has gathered, in blocks; the rest of one stays in its ring. */
export function drain(
  native: NativeSound,
  stream: NativeStream,
  blockSamples: number,
  hear: (block: Float32Array) => void,
): void {
  const figures = new Float64Array(figureCount);
  native.look(stream, figures);
  const blocks = Math.floor((figures[figureAt.queued] ?? 0) / blockSamples);
  for (let block = 0; block < blocks; block += 1) {
    const samples = new Float32Array(blockSamples);
    native.take(stream, samples);
    hear(samples);
  }
}

/** A microphone stream of the addon, as the port has it. */
export function microphoneStream(
  native: NativeSound,
  stream: NativeStream,
  device: SoundDevice,
  rate: number,
  close: CloseStream,
): MicrophoneStream {
  const figures = new Float64Array(figureCount);
  const liveness = new Liveness();
  let closed = false;
  return {
    device,
    rate,
    look: () => {
      if (!closed) native.look(stream, figures);
      return {
        alive: !closed && liveness.of(figures),
        captured: figures[figureAt.underrunsOrCaptured] ?? 0,
        lost: figures[figureAt.missedOrLost] ?? 0,
        latencyMs: (figures[figureAt.latency] ?? 0) * 1000,
      };
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await close(stream);
    },
  };
}
