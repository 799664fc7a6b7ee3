import type {
  CaptureListener,
  DeviceChoice,
  MicrophoneStream,
  SoundDevice,
  SoundDriver,
  SpeakerStream,
} from '../../electron/audio/devices/sound-driver.ts';
import { isDeviceNamed } from '../../shared/settings/audio-settings.ts';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';

const latencyMs = 20;
const fadeMs = 5;
const ringSeconds = 30;
/** A real driver waits this long before it calls a silent device dead. */
const silentMs = 500;

/** The room around the devices: what the microphones pick up, and what becomes of the sound. */
export interface Room {
  readonly loudness: () => number;
  readonly heard: (samples: Float32Array) => void;
  /** A speaker dropped its sound at once. A dying one loses nothing: its successor plays the rest. */
  readonly silenced: () => void;
}

const headset: SoundDevice = {
  name: 'Headset',
  hostApi: 'Simulated',
  inputChannels: 1,
  outputChannels: 2,
  rate: 48_000,
  defaultInput: true,
  defaultOutput: true,
};
const builtIn: SoundDevice = {
  ...headset,
  name: 'Built-in',
  defaultInput: false,
  defaultOutput: false,
};

/** Devices that come and go. Computes a speaker's position only on request, so that hours pass in seconds. */
export class SimulatedSound implements SoundDriver {
  readonly #deps: { readonly clock: Clock; readonly room: Room };
  readonly #speakers = new Set<SimulatedSpeaker>();
  readonly #microphones = new Set<SimulatedMicrophone>();
  #headsetIsThere = true;

  constructor(deps: { readonly clock: Clock; readonly room: Room }) {
    this.#deps = deps;
  }

  readonly systemMovesStreams = false;

  get openMicrophones(): number {
    return this.#microphones.size;
  }

  get openSpeakers(): number {
    return this.#speakers.size;
  }

  /** Whether speakers are open, and each has its device and nothing left to play. */
  get idle(): boolean {
    const speakers = [...this.#speakers];
    return speakers.length > 0 && speakers.every(({ isIdle }) => isIdle);
  }

  /** Advances all speakers to the present moment. */
  follow(): void {
    for (const speaker of this.#speakers) speaker.stats();
  }

  setHeadset(isThere: boolean): void {
    this.#headsetIsThere = isThere;
    if (isThere) return;
    for (const stream of [...this.#speakers, ...this.#microphones])
      if (stream.device.name === headset.name) stream.die();
  }

  /** Closes all streams, as the end of the process does. */
  cut(): void {
    for (const stream of [...this.#speakers, ...this.#microphones]) void stream.close();
  }

  readonly devices = (): Promise<Outcome<readonly SoundDevice[]>> =>
    Promise.resolve({ ok: true, value: this.#devices });

  readonly openSpeaker = (choice: DeviceChoice, rate: number): Promise<Outcome<SpeakerStream>> => {
    const device = this.#find(choice, 'noSpeaker');
    if (!device.ok) return Promise.resolve(device);
    const speaker = new SimulatedSpeaker(this.#deps, device.value, rate, () =>
      this.#speakers.delete(speaker),
    );
    this.#speakers.add(speaker);
    return Promise.resolve({ ok: true, value: speaker });
  };

  readonly openMicrophone = (
    choice: DeviceChoice,
    rate: number,
    listener: CaptureListener,
  ): Promise<Outcome<MicrophoneStream>> => {
    const device = this.#find(choice, 'noMicrophone');
    if (!device.ok) return Promise.resolve(device);
    const microphone = new SimulatedMicrophone(this.#deps, device.value, { rate, listener }, () =>
      this.#microphones.delete(microphone),
    );
    this.#microphones.add(microphone);
    return Promise.resolve({ ok: true, value: microphone });
  };

  get #devices(): readonly SoundDevice[] {
    if (this.#headsetIsThere) return [headset, builtIn];
    return [{ ...builtIn, defaultInput: true, defaultOutput: true }];
  }

  #find(choice: DeviceChoice, code: 'noSpeaker' | 'noMicrophone'): Outcome<SoundDevice> {
    const found = this.#devices.find((device) =>
      choice === 'default' ? device.defaultInput : isDeviceNamed(device, choice.name),
    );
    return found === undefined ? failure(code) : { ok: true, value: found };
  }
}

class SimulatedSpeaker implements SpeakerStream {
  readonly device: SoundDevice;
  readonly rate: number;
  readonly #deps: { readonly clock: Clock; readonly room: Room };
  readonly #closed: () => void;
  #queue: Float32Array[] = [];
  #queued = 0;
  #played = 0;
  /** The time up to which playback has been computed. */
  #at: number;
  /** When samples left the queue; they are heard `latencyMs` later. */
  readonly #leaving: { readonly at: number; readonly count: number }[] = [];
  #heard = 0;
  #diedAt: number | undefined;
  #open = true;

  constructor(
    deps: { readonly clock: Clock; readonly room: Room },
    device: SoundDevice,
    rate: number,
    closed: () => void,
  ) {
    this.#deps = deps;
    this.device = device;
    this.rate = rate;
    this.#closed = closed;
    this.#at = deps.clock.now();
  }

  get isIdle(): boolean {
    return this.#queued === 0 && this.#diedAt === undefined;
  }

  readonly write = (samples: Float32Array): number => {
    if (!this.#open) return 0;
    this.#follow();
    const taken = samples.slice(0, Math.max(0, this.rate * ringSeconds - this.#queued));
    if (taken.length > 0) this.#queue.push(taken);
    this.#queued += taken.length;
    return taken.length;
  };

  readonly flush = (): { readonly played: number; readonly dropped: number } => {
    if (!this.#open) return { played: this.#played, dropped: 0 };
    this.#follow();
    const before = this.#queued;
    const fade = Math.min(before, (this.rate * fadeMs) / 1000);
    this.#play(fade);
    this.#queue = [];
    this.#queued = 0;
    this.#deps.room.silenced();
    return { played: this.#played, dropped: before - fade };
  };

  readonly setVolume = (): void => undefined;

  readonly takePlayed: SpeakerStream['takePlayed'] = () => ({
    count: 0,
    position: this.#played,
    heardAt: this.#deps.clock.now(),
  });

  readonly stats: SpeakerStream['stats'] = () => {
    this.#follow();
    return {
      alive:
        this.#open &&
        (this.#diedAt === undefined || this.#deps.clock.now() - this.#diedAt < silentMs),
      played: this.#played,
      heard: this.#diedAt === undefined ? this.#heard : this.#played,
      queued: this.#open ? this.#queued : 0,
      underruns: 0,
      repaired: 0,
      latencyMs,
    };
  };

  readonly close = (): Promise<void> => {
    if (this.#open) {
      this.#follow();
      this.#open = false;
      this.#closed();
    }
    return Promise.resolve();
  };

  die(): void {
    this.#follow();
    this.#diedAt ??= this.#deps.clock.now();
  }

  #follow(): void {
    const now = this.#deps.clock.now();
    if (!this.#open || this.#diedAt !== undefined) return;
    // Counts only whole callbacks, as a sound card takes them.
    const steps = Math.floor((now - this.#at) / 10);
    if (steps > 0) {
      this.#at += steps * 10;
      this.#play(Math.min(this.#queued, (steps * 10 * this.rate) / 1000));
    }
    for (;;) {
      const [first] = this.#leaving;
      if (first === undefined || first.at + latencyMs > now) break;
      this.#heard += first.count;
      this.#leaving.shift();
    }
  }

  #play(count: number): void {
    for (let left = count; left > 0;) {
      const [first] = this.#queue;
      if (first === undefined) break;
      const part = first.subarray(0, left);
      this.#deps.room.heard(part);
      if (part.length === first.length) this.#queue.shift();
      else this.#queue[0] = first.subarray(part.length);
      left -= part.length;
    }
    this.#queued -= count;
    this.#played += count;
    if (count > 0) this.#leaving.push({ at: this.#deps.clock.now(), count });
  }
}

const blockMs = 20;

interface Deps {
  readonly clock: Clock;
  readonly room: { readonly loudness: () => number };
}

/** Captures the room in blocks of 20 ms while its device exists. */
class SimulatedMicrophone implements MicrophoneStream {
  readonly device: SoundDevice;
  readonly rate: number;
  readonly #clock: Clock;
  readonly #closed: () => void;
  #captured = 0;
  #diedAt: number | undefined;
  #open = true;
  #stop: () => void = () => undefined;

  constructor(
    { clock, room }: Deps,
    device: SoundDevice,
    { rate, listener }: { readonly rate: number; readonly listener: CaptureListener },
    closed: () => void,
  ) {
    this.device = device;
    this.rate = rate;
    this.#clock = clock;
    this.#closed = closed;
    const block = (rate * blockMs) / 1000;
    let [same, loudness] = [new Float32Array(block), 0];
    const goOn = (): void => {
      this.#stop = clock.after(blockMs, () => {
        goOn();
        this.#captured += block;
        const now = room.loudness();
        if (now !== loudness) [same, loudness] = [new Float32Array(block).fill(now), now];
        // The listener owns its block; copying one is faster than filling it.
        listener.captured(same.slice(), clock.now() - latencyMs - blockMs);
      });
    };
    goOn();
  }

  readonly stats: MicrophoneStream['stats'] = () => ({
    alive:
      this.#open && (this.#diedAt === undefined || this.#clock.now() - this.#diedAt < silentMs),
    captured: this.#captured,
    lost: 0,
    repaired: 0,
    latencyMs,
  });

  readonly close = (): Promise<void> => {
    if (this.#open) this.#closed();
    this.#open = false;
    this.#stop();
    return Promise.resolve();
  };

  die(): void {
    this.#diedAt ??= this.#clock.now();
    this.#stop();
  }
}
