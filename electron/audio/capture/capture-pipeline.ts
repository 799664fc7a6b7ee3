import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { EchoState } from '../../../shared/talk/talk-stats.ts';
import type {
  CaptureListener,
  MicrophoneStream,
  MicrophoneStreamStats,
} from '../devices/sound-driver.ts';
import { LevelMeter, type LevelReading } from '../dsp/loudness.ts';
import { applyGain, cleanSamples } from '../dsp/samples.ts';
import { TimedResampler } from '../dsp/sinc-resampler.ts';
import type { EchoCancellation } from '../echo/echo-cancellation.ts';
import type { CaptureEnhancement } from '../enhance/capture-enhancement.ts';

export interface AudioSink {
  /** 16 kHz mono, in blocks of about 20 ms. The sink owns each block. */
  pushAudio(block: Float32Array): void;
}

export interface CapturePipelineOptions {
  /** The user's microphone volume, read for every block because it can change during a talk. */
  readonly gain: () => number;
  /** Omit it if no level is shown; the level is then not measured. */
  readonly onLevel?: ((level: LevelReading) => void) | undefined;
  /** Receives resampled and repaired sound, before echo cancellation. The block is valid only during the call. */
  readonly onCaptured?: ((block: Float32Array) => void) | undefined;
}

/** Processes captured blocks: resampling, repair, echo cancellation, enhancement, gain, level meter. */
export class CapturePipeline {
  readonly #sink: AudioSink;
  readonly #options: CapturePipelineOptions;
  readonly #meter: LevelMeter | undefined;
  readonly #echo: EchoCancellation | undefined;
  readonly #enhancement: CaptureEnhancement | undefined;
  #resampler: TimedResampler | undefined;
  #repaired = 0;

  constructor(
    sink: AudioSink,
    options: CapturePipelineOptions,
    echo?: EchoCancellation,
    enhancement?: CaptureEnhancement,
  ) {
    this.#sink = sink;
    this.#options = options;
    this.#meter = options.onLevel && new LevelMeter(inputRate, options.onLevel);
    this.#echo = echo;
    this.#enhancement = enhancement;
  }

  get repaired(): number {
    return this.#repaired;
  }

  get echo(): EchoState {
    return this.#echo?.state ?? 'off';
  }

  /** Probability that the last block held a person beside the playback's echo, while the echo canceller works. */
  get nearEndPresence(): number | undefined {
    return this.#echo?.nearEndPresence;
  }

  /** Probability of speech in the last block; undefined without a voice detector. */
  get voiceLikelihood(): number | undefined {
    return this.#enhancement?.likelihood;
  }

  begin(resampler: TimedResampler | undefined, device?: string): void {
    this.#resampler = resampler;
    this.#echo?.begin(device);
    this.#enhancement?.reset();
  }

  /** May modify the block. `capturedAt` is the time of its first sample. */
  push(block: Float32Array, capturedAt: number): void {
    const resampled = this.#resampler?.convert(block, capturedAt) ?? { block, at: capturedAt };
    this.#repaired += cleanSamples(resampled.block);
    this.#options.onCaptured?.(resampled.block);
    const clean = this.#echo?.process(resampled.block, resampled.at) ?? resampled.block;
    if (clean.length === 0) return;
    this.#enhancement?.process(clean);
    applyGain(clean, this.#options.gain());
    this.#deliver(clean);
  }

  /** Passes silence in place of missing input, because the sink measures time in samples. */
  pushSilence(samples: number): void {
    this.#enhancement?.reset();
    const silence = new Float32Array(samples);
    this.#options.onCaptured?.(silence);
    this.#deliver(silence);
  }

  close(): void {
    this.#echo?.close();
  }

  #deliver(block: Float32Array): void {
    this.#meter?.push(block);
    this.#sink.pushAudio(block);
  }
}

/** One device stream and the resampler for its rate. */
export class CaptureStream implements CaptureListener {
  readonly #pipeline: CapturePipeline;
  #live = false;

  constructor(pipeline: CapturePipeline) {
    this.#pipeline = pipeline;
  }

  captured(block: Float32Array, capturedAt: number): void {
    if (this.#live) this.#pipeline.push(block, capturedAt);
  }

  attach(stream: MicrophoneStream) {
    const { rate, device } = stream;
    const resampler = rate === inputRate ? undefined : new TimedResampler(rate, inputRate);
    return {
      device,
      rate,
      begin: (): void => {
        this.#pipeline.begin(resampler, device.name);
        this.#live = true;
      },
      stop: (): void => {
        this.#live = false;
      },
      stats: (): MicrophoneStreamStats => stream.stats(),
      close: (): Promise<void> => {
        this.#live = false;
        return stream.close();
      },
    };
  }
}

export type OpenCaptureStream = ReturnType<CaptureStream['attach']>;
