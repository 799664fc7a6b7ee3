import { inputRate } from '../../shared/protocol/limits.ts';
import type {
  Clock,
  DeviceChoice,
  MicrophoneFigures,
  MicrophoneStream,
  RateConverter,
  SoundDriver,
} from '../ports.ts';
import { StreamKeeper } from './keep-stream.ts';
import type { SoundNews } from './keep-stream.ts';

/** What Parley hears with, whichever device that is. 16 kHz mono, in blocks of about 20 ms. */
export interface Microphone {
  readonly choose: (device: DeviceChoice) => Promise<void>;
  readonly counters: () => MicrophoneCounters;
  readonly end: () => Promise<void>;
}

export interface MicrophoneCounters {
  readonly captured: number;
  readonly lost: number;
  /** Samples of silence that stood in for a microphone that was not there. */
  readonly silenced: number;
  readonly devices: number;
  readonly latencyMs: number;
}

interface Needs {
  readonly driver: SoundDriver;
  readonly clock: Clock;
  readonly convert: (from: number, to: number) => RateConverter;
  readonly tell: (news: SoundNews) => void;
  readonly hear: (block: Float32Array) => void;
}

const blockMs = 20;

/**
 * Opens a microphone and keeps it. It is never replaced by another one: who pinned a microphone did
 * so for a reason. While it is gone silence is captured, because the model's output is driven by input.
 */
export async function openMicrophone(choice: DeviceChoice, needs: Needs): Promise<Microphone> {
  const microphone = new KeptMicrophone(choice, needs);
  await microphone.begin();
  return microphone;
}

class KeptMicrophone implements Microphone {
  readonly #needs: Needs;
  readonly #keeper: StreamKeeper<MicrophoneStream>;
  #converter: RateConverter | undefined;
  #devices = 0;
  #closedCaptured = 0;
  #closedLost = 0;
  #silenced = 0;
  #silentSince = 0;
  #stopSilence: (() => void) | undefined;
  #ended = false;

  constructor(choice: DeviceChoice, needs: Needs) {
    this.#needs = needs;
    this.#keeper = new StreamKeeper(choice, {
      clock: needs.clock,
      open: (device) => this.#open(device),
      substitutes: false,
      opened: () => {
        this.#devices += 1;
        this.#endSilence();
      },
      gone: (stream) => {
        this.#leave(stream);
      },
      tell: needs.tell,
    });
  }

  async begin(): Promise<void> {
    await this.#keeper.begin();
    if (this.#keeper.stream === undefined) this.#beginSilence();
  }

  readonly choose = (device: DeviceChoice): Promise<void> => this.#keeper.choose(device);

  readonly counters = (): MicrophoneCounters => {
    const figures: MicrophoneFigures | undefined = this.#keeper.stream?.look();
    return {
      captured: this.#closedCaptured + (figures?.captured ?? 0),
      lost: this.#closedLost + (figures?.lost ?? 0),
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

  #open(device: DeviceChoice) {
    // The converter is known only when the stream is, and the first block can come before that.
    let converter: RateConverter | undefined;
    return this.#needs.driver
      .openMicrophone(device, inputRate, (block) => {
        this.#needs.hear(converter?.convert(block) ?? block);
      })
      .then((opened) => {
        if (opened.ok && opened.value.rate !== inputRate) {
          converter = this.#needs.convert(opened.value.rate, inputRate);
          this.#converter = converter;
        }
        return opened;
      });
  }

  #leave(stream: MicrophoneStream): void {
    const figures = stream.look();
    this.#closedCaptured += figures.captured;
    this.#closedLost += figures.lost;
    this.#converter?.close();
    this.#converter = undefined;
    if (!this.#ended) this.#beginSilence();
  }

  #beginSilence(): void {
    if (this.#stopSilence !== undefined || this.#ended) return;
    this.#silentSince = this.#needs.clock.now();
    let given = 0;
    const samples = (inputRate * blockMs) / 1000;
    const tick = (): void => {
      // By the time that has passed, not by the ticks: a late tick makes up for it.
      const due = Math.floor((this.#needs.clock.now() - this.#silentSince) / blockMs);
      for (; given < due; given += 1) {
        this.#silenced += samples;
        this.#needs.hear(new Float32Array(samples));
      }
      this.#stopSilence = this.#needs.clock.after(blockMs, tick);
    };
    this.#stopSilence = this.#needs.clock.after(blockMs, tick);
  }

  #endSilence(): void {
    this.#stopSilence?.();
    this.#stopSilence = undefined;
  }
}
