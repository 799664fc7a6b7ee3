import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type {
  CaptureListener,
  MicrophoneStream,
  MicrophoneStreamStats,
  Resampler,
  SoundDevice,
} from '../../ports/sound.ts';
import type { CapturePipeline } from './capture-pipeline.ts';
import { TimedResampler } from './timed-resampler.ts';

export type OpenResampler = (from: number, to: number) => Promise<Outcome<Resampler>>;

/** What the driver opened, once its sound can be understood. */
export interface OpenCaptureStream {
  readonly device: SoundDevice;
  readonly rate: number;
  /** From now on what is captured goes on its way; before, nobody wanted it. */
  begin(): void;
  stop(): void;
  stats(): MicrophoneStreamStats;
  close(): Promise<void>;
}

/**
 * One stream of a device, with the resampler for its rate. That one takes a moment to load; what is
 * captured meanwhile waits for it.
 */
export class CaptureStream implements CaptureListener {
  readonly #pipeline: CapturePipeline;
  readonly #early: (readonly [block: Float32Array, capturedAt: number])[] = [];
  #ready = false;
  #live = false;

  constructor(pipeline: CapturePipeline) {
    this.#pipeline = pipeline;
  }

  captured(block: Float32Array, capturedAt: number): void {
    this.#early.push([block, capturedAt]);
    if (!this.#ready) return;
    const blocks = this.#early.splice(0);
    if (!this.#live) return;
    for (const [each, at] of blocks) this.#pipeline.push(each, at);
  }

  /** Takes what the driver opened; where no resampler can be had, it is closed again. */
  async attach(
    stream: MicrophoneStream,
    openResampler: OpenResampler,
  ): Promise<Outcome<OpenCaptureStream>> {
    const { rate, device } = stream;
    let resampler: TimedResampler | undefined;
    if (rate !== inputRate) {
      const opened = await openResampler(rate, inputRate);
      if (!opened.ok) {
        await stream.close();
        return opened;
      }
      resampler = new TimedResampler(opened.value, rate, inputRate);
    }
    this.#ready = true;
    return {
      ok: true,
      value: {
        device,
        rate,
        begin: () => {
          this.#pipeline.begin(resampler);
          this.#live = true;
        },
        stop: () => {
          this.#live = false;
        },
        stats: () => stream.stats(),
        close: () => {
          this.#live = false;
          resampler?.close();
          return stream.close();
        },
      },
    };
  }
}
