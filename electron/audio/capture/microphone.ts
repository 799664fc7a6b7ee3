import type { Outcome } from '../../../shared/errors/app-error.ts';
import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { EchoState } from '../../../shared/talk/talk-stats.ts';
import type {
  CaptureListener,
  MicrophoneStream,
  MicrophoneStreamStats,
  DeviceChoice,
  SoundDriver,
} from '../devices/sound-driver.ts';
import { defaultDevice, type DeviceEvent, StreamSupervisor } from '../devices/stream-supervisor.ts';
import { LevelMeter, type LevelReading } from '../dsp/loudness.ts';
import { applyGain, cleanSamples } from '../dsp/samples.ts';
import { TimedResampler } from '../dsp/sinc-resampler.ts';
import type { EchoCancellation } from '../echo/echo-cancellation.ts';
import type { EchoRecorder } from '../echo/echo-recording.ts';
import type { CaptureEnhancement } from '../enhance/capture-enhancement.ts';

export interface AudioSink {
  /** 16 kHz mono, in blocks of about 20 ms. The sink owns each block. */
  pushAudio(block: Float32Array): void;
}

export interface CapturePipelineOptions {
  /** Factor of the user's microphone volume, read for every block because it can change during a talk. */
  readonly gain: () => number;
  /** Omit it if no level is shown; the level is then not measured. */
  readonly onLevel?: ((level: LevelReading) => void) | undefined;
  /** Receives resampled sound without invalid samples, before echo cancellation. The block is valid only during the call. */
  readonly onCaptured?: ((block: Float32Array) => void) | undefined;
}

/** Processes captured blocks: resampling, removal of invalid samples, echo cancellation, enhancement, gain, level meter. */
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

  /** Probability of near-end speech in the last block; undefined while no echo canceller changes the sound. */
  get nearEndPresence(): number | undefined {
    return this.#echo?.nearEndPresence;
  }

  /** Probability of speech in the last block; undefined without a voice detector. */
  get voiceLikelihood(): number | undefined {
    return this.#enhancement?.likelihood;
  }

  /** Time from a received block until the sink gets its sound. */
  get delayMs(): number {
    const stages = [this.#resampler, this.#echo, this.#enhancement];
    return stages.reduce((sum, stage) => sum + (stage?.delayMs ?? 0), 0);
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

type OpenCaptureStream = ReturnType<CaptureStream['attach']>;

export interface MicrophoneOptions extends CapturePipelineOptions {
  /** Captures without echo cancellation, noise suppression or gain control. */
  readonly unprocessed?: boolean | undefined;
  /** Takes the place of the echo canceller, and records captured and played sound. */
  readonly recorder?: EchoRecorder | undefined;
  /** Whether the system's default microphone may replace a missing one; never if omitted. */
  readonly allowsSubstitute?: (() => boolean) | undefined;
  readonly emit: (event: DeviceEvent) => void;
}

/** Samples are counted at 16 kHz, whatever the device's rate. */
export interface MicrophoneCounters {
  readonly captured: number;
  readonly lost: number;
  readonly repaired: number;
  /** Samples of silence inserted while no microphone was available. */
  readonly silenced: number;
  readonly devices: number;
  readonly latencyMs: number;
  readonly echo: EchoState;
}

interface SupervisedMicrophoneDeps {
  readonly driver: Pick<SoundDriver, 'devices' | 'systemMovesStreams' | 'openMicrophone'>;
  readonly clock: Clock;
  readonly emit: (event: DeviceEvent) => void;
  readonly pipeline: CapturePipeline;
  readonly allowsSubstitute?: (() => boolean) | undefined;
  readonly onEnded?: ((microphone: Microphone) => void) | undefined;
}

const blockMs = 20;

/** Longest silence captured at once, because hours of silence after the machine slept would be useless. */
const maxSilenceAtOnceMs = 4000;

/** Keeps a microphone open. Without a device it captures silence, because the server needs input to produce output. */
export class SupervisedMicrophone {
  readonly #deps: SupervisedMicrophoneDeps;
  readonly #supervisor: StreamSupervisor<OpenCaptureStream>;
  #devices = 0;
  #closedCaptured = 0;
  #closedLost = 0;
  #closedRepaired = 0;
  #silenced = 0;
  #silentSince = 0;
  #stopSilence: (() => void) | undefined;
  #ended = false;

  constructor(choice: DeviceChoice, deps: SupervisedMicrophoneDeps) {
    this.#deps = deps;
    this.#supervisor = new StreamSupervisor(choice, {
      clock: deps.clock,
      open: (device) => this.#open(device),
      allowsSubstitute: deps.allowsSubstitute ?? (() => false),
      onOpened: (stream) => this.#begin(stream),
      onGone: (stream) => this.#onGone(stream),
      currentDefault: defaultDevice(deps.driver, ({ defaultInput }) => defaultInput),
      emit: deps.emit,
    });
  }

  async begin(): Promise<void> {
    await this.#supervisor.begin();
    if (this.#supervisor.stream === undefined) this.#beginSilence();
  }

  choose(device: DeviceChoice): Promise<void> {
    return this.#supervisor.choose(device);
  }

  /** Time from the capture of a sample until the sink receives it. */
  latencyMs(): number {
    const stats = this.#supervisor.stream?.stats();
    return stats === undefined ? 0 : stats.latencyMs + this.#deps.pipeline.delayMs;
  }

  voiceLikelihood(): number | undefined {
    return this.#deps.pipeline.voiceLikelihood;
  }

  hasEcho(): boolean {
    return this.#deps.pipeline.echo === 'heard';
  }

  /** Probability of near-end speech in the last block; undefined while no echo canceller changes the sound. */
  nearEndPresence(): number | undefined {
    return this.#deps.pipeline.nearEndPresence;
  }

  counters(): MicrophoneCounters {
    const { stream } = this.#supervisor;
    const stats: MicrophoneStreamStats | undefined = stream?.stats();
    return {
      captured: this.#closedCaptured + toInputRate(stats?.captured ?? 0, stream),
      lost: this.#closedLost + toInputRate(stats?.lost ?? 0, stream),
      repaired:
        this.#closedRepaired +
        toInputRate(stats?.repaired ?? 0, stream) +
        this.#deps.pipeline.repaired,
      silenced: this.#silenced,
      devices: this.#devices,
      latencyMs: this.latencyMs(),
      echo: this.#deps.pipeline.echo,
    };
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#endSilence();
    await this.#supervisor.end();
    this.#endSilence();
    this.#deps.pipeline.close();
    this.#deps.onEnded?.(this);
  }

  async #open(device: DeviceChoice): Promise<Outcome<OpenCaptureStream>> {
    const { driver, pipeline } = this.#deps;
    const stream = new CaptureStream(pipeline);
    const opened = await driver.openMicrophone(device, inputRate, stream);
    return opened.ok ? { ok: true, value: stream.attach(opened.value) } : opened;
  }

  #begin(stream: OpenCaptureStream): void {
    this.#devices += 1;
    this.#endSilence();
    stream.begin();
  }

  #onGone(stream: OpenCaptureStream): void {
    stream.stop();
    const stats = stream.stats();
    this.#closedCaptured += toInputRate(stats.captured, stream);
    this.#closedLost += toInputRate(stats.lost, stream);
    this.#closedRepaired += toInputRate(stats.repaired, stream);
    if (!this.#ended) this.#beginSilence();
  }

  #beginSilence(): void {
    if (this.#stopSilence !== undefined || this.#ended) return;
    this.#silentSince = this.#deps.clock.now();
    let emittedBlocks = 0;
    const samples = (inputRate * blockMs) / 1000;
    this.#stopSilence = repeatEvery(this.#deps.clock, blockMs, () => {
      // Counts the elapsed time, so that a late tick makes up for its delay.
      const dueBlocks = Math.floor((this.#deps.clock.now() - this.#silentSince) / blockMs);
      emittedBlocks = Math.max(emittedBlocks, dueBlocks - maxSilenceAtOnceMs / blockMs);
      for (; emittedBlocks < dueBlocks; emittedBlocks += 1) {
        this.#silenced += samples;
        this.#deps.pipeline.pushSilence(samples);
      }
      return undefined;
    });
  }

  #endSilence(): void {
    this.#stopSilence?.();
    this.#stopSilence = undefined;
  }
}

export type Microphone = Omit<SupervisedMicrophone, 'begin'>;

function toInputRate(samples: number, stream: OpenCaptureStream | undefined): number {
  return Math.round((samples * inputRate) / (stream?.rate ?? inputRate));
}
