import { outputRate } from '../../shared/protocol/limits.ts';
import type {
  Clock,
  DeviceChoice,
  RateConverter,
  SoundDriver,
  SpeakerFigures,
  SpeakerStream,
} from '../ports.ts';
import { StreamKeeper } from './keep-stream.ts';
import type { SoundNews } from './keep-stream.ts';
import { Unplayed } from './unplayed.ts';

/** What Parley speaks through, whichever device that is at the moment. 24 kHz mono. */
export interface Speaker {
  /** Queues sound; it is played when a device is there, and not lost when one dies. */
  readonly write: (samples: Float32Array) => void;
  /** Silences at once. `heard` counts what has been played of all sound, `dropped` what never will be. */
  readonly flush: () => { readonly heard: number; readonly dropped: number };
  /** Samples that have left a device so far. */
  readonly heard: () => number;
  readonly queued: () => number;
  readonly setVolume: (volume: number) => void;
  readonly setMuted: (muted: boolean) => void;
  readonly choose: (device: DeviceChoice) => Promise<void>;
  readonly counters: () => SpeakerCounters;
  readonly end: () => Promise<void>;
}

export interface SpeakerCounters {
  readonly underruns: number;
  readonly repaired: number;
  /** How often a device was opened. */
  readonly devices: number;
  readonly latencyMs: number;
}

interface Needs {
  readonly driver: SoundDriver;
  readonly clock: Clock;
  readonly convert: (from: number, to: number) => RateConverter;
  readonly tell: (news: SoundNews) => void;
}

/** Opens a speaker and keeps it: see {@link StreamKeeper}. */
export async function openSpeaker(choice: DeviceChoice, needs: Needs): Promise<Speaker> {
  const speaker = new KeptSpeaker(choice, needs);
  await speaker.begin();
  return speaker;
}

class KeptSpeaker implements Speaker {
  readonly #needs: Needs;
  readonly #keeper: StreamKeeper<SpeakerStream>;
  readonly #unplayed = new Unplayed();
  #converter: RateConverter | undefined;
  /** Samples of ours for each of the stream's. */
  #scale = 1;
  /** What streams before this one have played, at our rate. */
  #before = 0;
  #settled = 0;
  #volume = 1;
  #muted = false;
  #devices = 0;
  #closedUnderruns = 0;
  #closedRepaired = 0;

  constructor(choice: DeviceChoice, needs: Needs) {
    this.#needs = needs;
    this.#keeper = new StreamKeeper(choice, {
      clock: needs.clock,
      open: (device) => needs.driver.openSpeaker(device, outputRate),
      substitutes: true,
      opened: (stream) => {
        this.#begin(stream);
      },
      gone: (stream) => {
        this.#leave(stream);
      },
      tell: needs.tell,
    });
  }

  begin(): Promise<void> {
    return this.#keeper.begin();
  }

  readonly write = (samples: Float32Array): void => {
    this.#settle();
    this.#unplayed.add(samples);
    this.#send(samples);
  };

  readonly flush = (): { readonly heard: number; readonly dropped: number } => {
    const stream = this.#keeper.stream;
    if (stream !== undefined) {
      // What the fade still lets through counts as played.
      const { played } = stream.flush();
      this.#settleTo(this.#before + Math.round(played * this.#scale));
    }
    const dropped = this.#unplayed.clear();
    return { heard: this.#settled, dropped };
  };

  readonly heard = (): number => {
    const stream = this.#keeper.stream;
    if (stream === undefined) return this.#before;
    return this.#before + Math.round(stream.look().heard * this.#scale);
  };

  readonly queued = (): number => {
    this.#settle();
    return this.#unplayed.samples;
  };

  readonly setVolume = (volume: number): void => {
    this.#volume = volume;
    this.#applyVolume();
  };

  readonly setMuted = (muted: boolean): void => {
    this.#muted = muted;
    this.#applyVolume();
  };

  readonly choose = (device: DeviceChoice): Promise<void> => this.#keeper.choose(device);

  readonly counters = (): SpeakerCounters => {
    const figures: SpeakerFigures | undefined = this.#keeper.stream?.look();
    return {
      underruns: this.#closedUnderruns + (figures?.underruns ?? 0),
      repaired: this.#closedRepaired + (figures?.repaired ?? 0),
      devices: this.#devices,
      latencyMs: figures?.latencyMs ?? 0,
    };
  };

  readonly end = async (): Promise<void> => {
    await this.#keeper.end();
    this.#unplayed.clear();
  };

  #begin(stream: SpeakerStream): void {
    this.#devices += 1;
    this.#scale = outputRate / stream.rate;
    this.#converter =
      stream.rate === outputRate ? undefined : this.#needs.convert(outputRate, stream.rate);
    this.#applyVolume();
    for (const chunk of this.#unplayed.all()) this.#send(chunk);
  }

  #leave(stream: SpeakerStream): void {
    this.#settle();
    const figures = stream.look();
    this.#closedUnderruns += figures.underruns;
    this.#closedRepaired += figures.repaired;
    this.#before = this.#settled;
    this.#converter?.close();
    this.#converter = undefined;
    this.#scale = 1;
  }

  #send(samples: Float32Array): void {
    this.#keeper.stream?.write(this.#converter?.convert(samples) ?? samples);
  }

  #applyVolume(): void {
    this.#keeper.stream?.setVolume(this.#muted ? 0 : this.#volume);
  }

  /** Forgets what has been played since the last time. */
  #settle(): void {
    const stream = this.#keeper.stream;
    if (stream === undefined) return;
    this.#settleTo(this.#before + Math.round(stream.look().played * this.#scale));
  }

  #settleTo(played: number): void {
    this.#unplayed.played(played - this.#settled);
    this.#settled = Math.max(this.#settled, played);
  }
}
