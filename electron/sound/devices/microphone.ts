import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type {
  DeviceChoice,
  MicrophoneStreamStats,
  MicrophoneStream,
  Resampler,
  SoundDriver,
} from '../../ports/sound.ts';
import type { CapturePipeline } from '../capture/capture-pipeline.ts';
import { TimedResampler } from '../capture/timed-resampler.ts';
import { StreamSupervisor } from './stream-supervisor.ts';
import type { DeviceEvent } from './stream-supervisor.ts';
import { defaultDevice } from './default-device.ts';

/** What Parley hears with, whichever device that is. 16 kHz mono, in blocks of about 20 ms. */
export interface Microphone {
  readonly choose: (device: DeviceChoice) => Promise<void>;
  readonly counters: () => MicrophoneCounters;
  readonly end: () => Promise<void>;
}

export interface MicrophoneCounters {
  readonly captured: number;
  readonly lost: number;
  /** Samples that were no number and have been made silence. */
  readonly repaired: number;
  /** Samples of silence that stood in for a microphone that was not there. */
  readonly silenced: number;
  readonly devices: number;
  readonly latencyMs: number;
}

interface Deps {
  readonly driver: SoundDriver;
  readonly clock: Clock;
  readonly convert: (from: number, to: number) => Resampler;
  readonly emit: (news: DeviceEvent) => void;
  readonly hear: (block: Float32Array) => void;
  /** What captured sound goes through on its way; silence that stands in for it does not. */
  readonly chain: Pick<CapturePipeline, 'push' | 'badSamples'>;
}

const blockMs = 20;

/** After a sleep of the machine nobody wants hours of silence at once. */
const mostSilenceAtOnceMs = 4000;

/** What listens to one stream. Only that of the stream in use is open. */
interface Ear {
  open: boolean;
  converter: TimedResampler | undefined;
}

/**
 * Opens a microphone and keeps it. It is never replaced by another one: who pinned a microphone did
 * so for a reason. While it is gone silence is captured, because the model's output is driven by input.
 */
export async function openMicrophone(choice: DeviceChoice, deps: Deps): Promise<Microphone> {
  const microphone = new KeptMicrophone(choice, deps);
  await microphone.begin();
  return microphone;
}

class KeptMicrophone implements Microphone {
  readonly #deps: Deps;
  readonly #keeper: StreamSupervisor<MicrophoneStream>;
  readonly #ears = new WeakMap<MicrophoneStream, Ear>();
  #devices = 0;
  #closedCaptured = 0;
  #closedLost = 0;
  #closedRepaired = 0;
  #silenced = 0;
  #silentSince = 0;
  #stopSilence: (() => void) | undefined;
  #ended = false;

  constructor(choice: DeviceChoice, deps: Deps) {
    this.#deps = deps;
    this.#keeper = new StreamSupervisor(choice, {
      clock: deps.clock,
      open: (device) => this.#open(device),
      substitutes: false,
      opened: (stream) => {
        this.#begin(stream);
      },
      gone: (stream) => {
        this.#leave(stream);
      },
      standard: defaultDevice(deps.driver, ({ defaultInput }) => defaultInput),
      emit: deps.emit,
    });
  }

  async begin(): Promise<void> {
    await this.#keeper.begin();
    if (this.#keeper.stream === undefined) this.#beginSilence();
  }

  readonly choose = (device: DeviceChoice): Promise<void> => this.#keeper.choose(device);

  readonly counters = (): MicrophoneCounters => {
    const { stream } = this.#keeper;
    const figures: MicrophoneStreamStats | undefined = stream?.stats();
    return {
      captured: this.#closedCaptured + atOurRate(figures?.captured ?? 0, stream),
      lost: this.#closedLost + atOurRate(figures?.lost ?? 0, stream),
      repaired: this.#closedRepaired + (figures?.repaired ?? 0) + this.#deps.chain.badSamples,
      silenced: this.#silenced,
      devices: this.#devices,
      latencyMs: figures?.latencyMs ?? 0,
    };
  };

  readonly end = async (): Promise<void> => {
    this.#ended = true;
    this.#endSilence();
    await this.#keeper.end();
    this.#endSilence();
  };

  async #open(device: DeviceChoice): Promise<Outcome<MicrophoneStream>> {
    const ear: Ear = { open: false, converter: undefined };
    const opened = await this.#deps.driver.openMicrophone(device, inputRate, (block, at) => {
      if (!ear.open) return;
      const { hear, chain } = this.#deps;
      const ours = ear.converter?.convert(block, at) ?? { block, at };
      if (ours.block.length > 0) hear(chain.push(ours.block, ours.at));
    });
    if (opened.ok) this.#ears.set(opened.value, ear);
    return opened;
  }

  #begin(stream: MicrophoneStream): void {
    this.#devices += 1;
    this.#endSilence();
    const ear = this.#ears.get(stream);
    if (ear === undefined) return;
    ear.open = true;
    if (stream.rate === inputRate) return;
    const converter = this.#deps.convert(stream.rate, inputRate);
    ear.converter = new TimedResampler(converter, stream.rate, inputRate);
  }

  #leave(stream: MicrophoneStream): void {
    const ear = this.#ears.get(stream);
    if (ear !== undefined) {
      ear.open = false;
      ear.converter?.close();
    }
    const figures = stream.stats();
    this.#closedCaptured += atOurRate(figures.captured, stream);
    this.#closedLost += atOurRate(figures.lost, stream);
    this.#closedRepaired += figures.repaired;
    if (!this.#ended) this.#beginSilence();
  }

  #beginSilence(): void {
    if (this.#stopSilence !== undefined || this.#ended) return;
    this.#silentSince = this.#deps.clock.now();
    let given = 0;
    const samples = (inputRate * blockMs) / 1000;
    const tick = (): void => {
      // By the time that has passed, not by the ticks: a late tick makes up for it.
      const due = Math.floor((this.#deps.clock.now() - this.#silentSince) / blockMs);
      given = Math.max(given, due - mostSilenceAtOnceMs / blockMs);
      for (; given < due; given += 1) {
        this.#silenced += samples;
        this.#deps.hear(new Float32Array(samples));
      }
      this.#stopSilence = this.#deps.clock.after(blockMs, tick);
    };
    this.#stopSilence = this.#deps.clock.after(blockMs, tick);
  }

  #endSilence(): void {
    this.#stopSilence?.();
    this.#stopSilence = undefined;
  }
}

function atOurRate(samples: number, stream: MicrophoneStream | undefined): number {
  return Math.round((samples * inputRate) / (stream?.rate ?? inputRate));
}
