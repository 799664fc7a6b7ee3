import { outputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  DeviceChoice,
  Resampler,
  SoundDriver,
  SpeakerStreamStats,
  SpeakerStream,
} from '../../ports/sound.ts';
import { StreamSupervisor } from './stream-supervisor.ts';
import type { DeviceEvent } from './stream-supervisor.ts';
import { defaultDevice } from './default-device.ts';
import { UnplayedQueue } from './unplayed-queue.ts';

/** What Parley speaks through, whichever device that is at the moment. 24 kHz mono. */
export interface Speaker {
  /** Queues sound; it is played when a device is there, and not lost when one dies. */
  readonly write: (samples: Float32Array) => void;
  /** Silences at once. `heard` is what of all sound will have been heard, `dropped` what never will be. */
  readonly flush: () => { readonly heard: number; readonly dropped: number };
  /** Samples that have left a device so far. */
  readonly heard: () => number;
  readonly queued: () => number;
  readonly setVolume: (volume: number) => void;
  readonly setMuted: (muted: boolean) => void;
  /** Lowers it for a moment, on top of the person's volume, which neither knows nor loses by it. */
  readonly setDuckGain: (gain: number) => void;
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

interface Deps {
  readonly driver: SoundDriver;
  readonly clock: Clock;
  readonly convert: (from: number, to: number) => Resampler;
  readonly emit: (news: DeviceEvent) => void;
}

/** A ring holds 30 s: there is time enough before it runs dry. */
const fillEveryMs = 250;

/** Opens a speaker and keeps it: see {@link StreamSupervisor}. */
export async function openSpeaker(choice: DeviceChoice, deps: Deps): Promise<Speaker> {
  const speaker = new KeptSpeaker(choice, deps);
  await speaker.begin();
  return speaker;
}

class KeptSpeaker implements Speaker {
  readonly #deps: Deps;
  readonly #keeper: StreamSupervisor<SpeakerStream>;
  readonly #unplayed = new UnplayedQueue();
  #converter: Resampler | undefined;
  /** Samples of ours for each of the stream's. */
  #scale = 1;
  /** Our count of what has been played, less what this stream has. */
  #before = 0;
  #settled = 0;
  #mostHeard = 0;
  /** At the stream's rate: what its ring had no room for. */
  #waiting: Float32Array[] = [];
  #stopWaiting: () => void = () => undefined;
  #volume = 1;
  #muted = false;
  #dip = 1;
  #devices = 0;
  #closedUnderruns = 0;
  #closedRepaired = 0;
  #ended = false;

  constructor(choice: DeviceChoice, deps: Deps) {
    this.#deps = deps;
    this.#keeper = new StreamSupervisor(choice, {
      clock: deps.clock,
      open: (device) => deps.driver.openSpeaker(device, outputRate),
      substitutes: true,
      opened: (stream) => {
        this.#begin(stream);
      },
      gone: (stream) => {
        this.#leave(stream);
      },
      standard: defaultDevice(deps.driver, ({ defaultOutput }) => defaultOutput),
      emit: deps.emit,
    });
  }

  begin(): Promise<void> {
    return this.#keeper.begin();
  }

  readonly write = (samples: Float32Array): void => {
    if (this.#ended) return;
    this.#settle();
    this.#unplayed.add(samples);
    this.#send(samples);
  };

  readonly flush = (): { readonly heard: number; readonly dropped: number } => {
    this.#settle();
    const stream = this.#keeper.stream;
    if (stream !== undefined) {
      // What the fade still lets through counts as played.
      const { played } = stream.flush();
      this.#settleTo(Math.round(this.#before + played * this.#scale));
      // What the converter still holds belongs to what is dropped.
      this.#converter?.restart();
      this.#before = this.#settled - played * this.#scale;
    }
    this.#forgetWaiting();
    const dropped = this.#unplayed.clear();
    return { heard: this.#settled, dropped };
  };

  readonly heard = (): number => {
    this.#settle();
    const figures = this.#keeper.stream?.stats();
    // Rounding between two rates must not leave the last sample unheard for ever.
    const all = figures === undefined || (figures.queued === 0 && figures.heard >= figures.played);
    const heard = all ? this.#settled : Math.round(this.#before + figures.heard * this.#scale);
    this.#mostHeard = Math.max(this.#mostHeard, Math.min(heard, this.#settled));
    return this.#mostHeard;
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

  readonly setDuckGain = (gain: number): void => {
    this.#dip = gain;
    this.#applyVolume();
  };

  readonly choose = (device: DeviceChoice): Promise<void> => this.#keeper.choose(device);

  readonly counters = (): SpeakerCounters => {
    const figures: SpeakerStreamStats | undefined = this.#keeper.stream?.stats();
    return {
      underruns: this.#closedUnderruns + (figures?.underruns ?? 0),
      repaired: this.#closedRepaired + (figures?.repaired ?? 0),
      devices: this.#devices,
      latencyMs: figures?.latencyMs ?? 0,
    };
  };

  readonly end = async (): Promise<void> => {
    this.#ended = true;
    await this.#keeper.end();
    this.#unplayed.clear();
  };

  #begin(stream: SpeakerStream): void {
    this.#devices += 1;
    this.#scale = outputRate / stream.rate;
    this.#converter?.close();
    this.#converter =
      stream.rate === outputRate ? undefined : this.#deps.convert(outputRate, stream.rate);
    this.#applyVolume();
    for (const chunk of this.#unplayed.all()) this.#send(chunk);
  }

  #leave(stream: SpeakerStream): void {
    const figures = stream.stats();
    this.#settleBy(figures);
    this.#forgetWaiting();
    this.#closedUnderruns += figures.underruns;
    this.#closedRepaired += figures.repaired;
    this.#before = this.#settled;
    this.#converter?.close();
    this.#converter = undefined;
    this.#scale = 1;
  }

  #send(samples: Float32Array): void {
    if (this.#keeper.stream === undefined || samples.length === 0) return;
    this.#waiting.push(this.#converter?.convert(samples) ?? samples);
    this.#fill();
  }

  /** Gives the stream what there is room for; for the rest there will be room in a moment. */
  #fill(): void {
    this.#stopWaiting();
    const stream = this.#keeper.stream;
    if (stream === undefined) return;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const taken = stream.write(next);
      if (taken === next.length) continue;
      this.#waiting.unshift(next.subarray(taken));
      this.#stopWaiting = this.#deps.clock.after(fillEveryMs, () => {
        this.#fill();
      });
      return;
    }
  }

  #forgetWaiting(): void {
    this.#stopWaiting();
    this.#waiting = [];
  }

  #applyVolume(): void {
    this.#keeper.stream?.setVolume(this.#muted ? 0 : this.#volume * this.#dip);
  }

  /** Forgets what has been played since the last time. */
  #settle(): void {
    const stream = this.#keeper.stream;
    if (stream !== undefined) this.#settleBy(stream.stats());
  }

  #settleBy({ played, queued }: SpeakerStreamStats): void {
    this.#settleTo(Math.round(this.#before + played * this.#scale));
    // Two rates never divide evenly: a stream that holds nothing has played all it was given.
    const through = this.#converter !== undefined && queued === 0 && this.#waiting.length === 0;
    if (!through) return;
    this.#settleTo(this.#settled + this.#unplayed.samples);
    this.#before = this.#settled - played * this.#scale;
  }

  #settleTo(played: number): void {
    this.#settled += this.#unplayed.played(played - this.#settled);
  }
}
