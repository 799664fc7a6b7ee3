import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import type {
  CaptureListener,
  MicrophoneStream,
  MicrophoneStreamStats,
  SoundDevice,
} from '../../ports/sound.ts';
import type { CapturePipeline } from './capture-pipeline.ts';
import { TimedResampler } from './timed-resampler.ts';

/** What the driver opened. */
export interface OpenCaptureStream {
  readonly device: SoundDevice;
  readonly rate: number;
  /** From now on what is captured goes on its way; before, nobody wanted it. */
  begin(): void;
  stop(): void;
  stats(): MicrophoneStreamStats;
  close(): Promise<void>;
}

/** One stream of a device, with the resampler for its rate. */
export class CaptureStream implements CaptureListener {
  readonly #pipeline: CapturePipeline;
  #live = false;

  constructor(pipeline: CapturePipeline) {
    this.#pipeline = pipeline;
  }

  captured(block: Float32Array, capturedAt: number): void {
    if (this.#live) this.#pipeline.push(block, capturedAt);
  }

  /** Takes what the driver opened for this listener. */
  attach(stream: MicrophoneStream): OpenCaptureStream {
    const { rate, device } = stream;
    const resampler = rate === inputRate ? undefined : new TimedResampler(rate, inputRate);
    return {
      device,
      rate,
      begin: () => {
        this.#pipeline.begin(resampler, device.name);
        this.#live = true;
      },
      stop: () => {
        this.#live = false;
      },
      stats: () => stream.stats(),
      close: () => {
        this.#live = false;
        return stream.close();
      },
    };
  }
}
