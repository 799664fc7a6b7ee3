import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { EchoState } from '../../../shared/talk/talk-stats.ts';
import type {
  CaptureListener,
  MicrophoneStream,
  MicrophoneStreamStats,
} from '../devices/sound-driver.ts';
import { LevelMeter, type LevelReading } from '../dsp/level-meter.ts';
import { applyGain, cleanSamples } from '../dsp/samples.ts';
import { TimedResampler } from '../dsp/sinc-resampler.ts';
import type { EchoCancellation } from '../echo/echo-cancellation.ts';
import type { CaptureEnhancement } from '../enhance/capture-enhancement.ts';

/** Whoever listens to a microphone: a conversation, a recording, a command. */
export interface AudioSink {
  /** 16 kHz mono, in blocks of about 20 ms; each belongs to the sink. */
  pushAudio(block: Float32Array): void;
}

export interface CapturePipelineOptions {
  /** The person's volume; asked for with every block, because it changes while one talks. */
  readonly gain: () => number;
  /** Where it is left out nobody shows a level, and none is measured. */
  readonly onLevel?: ((level: LevelReading) => void) | undefined;
  /** Takes the sound as it came in, before any processing; good until it returns. */
  readonly onCaptured?: ((block: Float32Array) => void) | undefined;
}

/**
 * The stages of every captured block, whoever listens: our rate, no bad numbers, the echo canceller
 * if there is one, what is done about noise and loudness, the person's volume, the level that is shown.
 */
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

  /** Samples that were no numbers and were made silence. */
  get repaired(): number {
    return this.#repaired;
  }

  /** Whether an echo is looked for, and found. */
  get echo(): EchoState {
    return this.#echo?.state ?? 'off';
  }

  /** Somebody is heard over what is played, who is not an echo. */
  get hearsSomebody(): boolean {
    return this.#echo?.hearsSomebody ?? false;
  }

  /** How likely somebody spoke in what was handed on last; nobody knows where nothing listens for it. */
  get voice(): number | undefined {
    return this.#enhancement?.likelihood;
  }

  /** Another device: what comes now has nothing to do with what came before. */
  begin(resampler: TimedResampler | undefined, device?: string): void {
    this.#resampler = resampler;
    this.#echo?.begin(device);
    this.#enhancement?.reset();
  }

  /** Changes the block. `capturedAt` is when its first sample came in. */
  push(block: Float32Array, capturedAt: number): void {
    const ours = this.#resampler?.convert(block, capturedAt) ?? { block, at: capturedAt };
    this.#repaired += cleanSamples(ours.block);
    this.#options.onCaptured?.(ours.block);
    const heard = this.#echo?.process(ours.block, ours.at) ?? ours.block;
    if (heard.length === 0) return;
    this.#enhancement?.process(heard);
    applyGain(heard, this.#options.gain());
    this.#handOn(heard);
  }

  /** Stands in for what no device captures. */
  pushSilence(samples: number): void {
    this.#enhancement?.reset();
    const silence = new Float32Array(samples);
    this.#options.onCaptured?.(silence);
    this.#handOn(silence);
  }

  close(): void {
    this.#echo?.close();
  }

  #handOn(block: Float32Array): void {
    this.#meter?.push(block);
    this.#sink.pushAudio(block);
  }
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

  attach(stream: MicrophoneStream) {
    const { rate, device } = stream;
    const resampler = rate === inputRate ? undefined : new TimedResampler(rate, inputRate);
    return {
      device,
      rate,
      /** From now on what is captured goes on its way; before, nobody wanted it. */
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
