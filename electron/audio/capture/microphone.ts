import type { Outcome } from '../../../shared/errors/app-error.ts';
import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { EchoState } from '../../../shared/talk/talk-stats.ts';
import type { DeviceChoice, MicrophoneStreamStats, SoundDriver } from '../devices/sound-driver.ts';
import { defaultDevice, type DeviceEvent, StreamSupervisor } from '../devices/stream-supervisor.ts';
import type { EchoRecorder } from '../echo/echo-recording.ts';
import {
  type CapturePipeline,
  type CapturePipelineOptions,
  CaptureStream,
  type OpenCaptureStream,
} from './capture-pipeline.ts';

export interface MicrophoneOptions extends CapturePipelineOptions {
  /** The room is listened to as it is: neither echo nor noise is taken out, and it is made no louder. */
  readonly withEcho?: boolean | undefined;
  /** Keeps what comes in beside what was played then. It stands in the place of a canceller. */
  readonly recorder?: EchoRecorder | undefined;
  /** Whether the system's microphone may stand in while the chosen one is gone; it never does where this is left out. */
  readonly mayStandIn?: (() => boolean) | undefined;
  readonly emit: (event: DeviceEvent) => void;
}

export interface MicrophoneCounters {
  readonly captured: number;
  readonly lost: number;
  readonly repaired: number;
  /** Samples of silence that stood in for a microphone that was not there. */
  readonly silenced: number;
  readonly devices: number;
  readonly latencyMs: number;
  readonly echo: EchoState;
}

interface SupervisedMicrophoneDeps {
  readonly driver: SoundDriver;
  readonly clock: Clock;
  readonly emit: (event: DeviceEvent) => void;
  readonly pipeline: CapturePipeline;
  readonly mayStandIn?: (() => boolean) | undefined;
  /** It has ended; nobody need end it any more. */
  readonly ended?: ((microphone: Microphone) => void) | undefined;
}

const blockMs = 20;

/** After a sleep of the machine nobody wants hours of silence at once. */
const maxSilenceAtOnceMs = 4000;

/**
 * Keeps a microphone open. Another one stands in only where the person wants that: who chose a microphone did so for a
 * reason. While there is none silence is captured, because the model's output is driven by input.
 */
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
      substitutes: deps.mayStandIn ?? (() => false),
      opened: (stream) => this.#begin(stream),
      gone: (stream) => this.#onGone(stream),
      standard: defaultDevice(deps.driver, ({ defaultInput }) => defaultInput),
      emit: deps.emit,
    });
  }

  /** Opens the device, or finds that there is none. */
  async begin(): Promise<void> {
    await this.#supervisor.begin();
    if (this.#supervisor.stream === undefined) this.#beginSilence();
  }

  choose(device: DeviceChoice): Promise<void> {
    return this.#supervisor.choose(device);
  }

  /** How old a sample is when it is handed over. */
  latencyMs(): number {
    return this.#supervisor.stream?.stats().latencyMs ?? 0;
  }

  /** How likely somebody speaks in what was handed over last; nothing where no detector listens. */
  voice(): number | undefined {
    return this.#deps.pipeline.voice;
  }

  /** The speaker is heard in it, and taken out. */
  hasEcho(): boolean {
    return this.#deps.pipeline.echo === 'heard';
  }

  /** Before the room is known: what was handed over last has somebody in it who is no echo. */
  hearsSomebody(): boolean {
    return this.#deps.pipeline.hearsSomebody;
  }

  counters(): MicrophoneCounters {
    const { stream } = this.#supervisor;
    const stats: MicrophoneStreamStats | undefined = stream?.stats();
    return {
      captured: this.#closedCaptured + atOurRate(stats?.captured ?? 0, stream),
      lost: this.#closedLost + atOurRate(stats?.lost ?? 0, stream),
      repaired: this.#closedRepaired + (stats?.repaired ?? 0) + this.#deps.pipeline.repaired,
      silenced: this.#silenced,
      devices: this.#devices,
      latencyMs: stats?.latencyMs ?? 0,
      echo: this.#deps.pipeline.echo,
    };
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#endSilence();
    await this.#supervisor.end();
    this.#endSilence();
    this.#deps.pipeline.close();
    this.#deps.ended?.(this);
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
    this.#closedCaptured += atOurRate(stats.captured, stream);
    this.#closedLost += atOurRate(stats.lost, stream);
    this.#closedRepaired += stats.repaired;
    if (!this.#ended) this.#beginSilence();
  }

  #beginSilence(): void {
    if (this.#stopSilence !== undefined || this.#ended) return;
    this.#silentSince = this.#deps.clock.now();
    let given = 0;
    const samples = (inputRate * blockMs) / 1000;
    this.#stopSilence = repeatEvery(this.#deps.clock, blockMs, () => {
      // By the time that has passed, not by the ticks: a late tick makes up for it.
      const due = Math.floor((this.#deps.clock.now() - this.#silentSince) / blockMs);
      given = Math.max(given, due - maxSilenceAtOnceMs / blockMs);
      for (; given < due; given += 1) {
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

function atOurRate(samples: number, stream: OpenCaptureStream | undefined): number {
  return Math.round((samples * inputRate) / (stream?.rate ?? inputRate));
}
