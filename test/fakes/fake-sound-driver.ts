import type {
  CaptureListener,
  DeviceChoice,
  MicrophoneStream,
  MicrophoneStreamStats,
  PlayedChunk,
  SoundDevice,
  SoundDriver,
  SpeakerStream,
  SpeakerStreamStats,
} from '../../electron/audio/devices/sound-driver.ts';
import { cleanSamples } from '../../electron/audio/dsp/samples.ts';
import { isDeviceNamed } from '../../shared/settings/audio-settings.ts';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { FakeClock } from './fake-clock.ts';

export interface FakeDevice extends SoundDevice {
  /** Whether it accepts only its own rate. */
  readonly onlyItsRate?: boolean;
}

export const fakeHeadset: FakeDevice = {
  name: 'Headset',
  hostApi: 'Fake',
  inputChannels: 1,
  outputChannels: 2,
  rate: 48_000,
  defaultInput: false,
  defaultOutput: false,
};

export const fakeBuiltIn: FakeDevice = {
  ...fakeHeadset,
  name: 'Built-in',
  inputChannels: 2,
  defaultInput: true,
  defaultOutput: true,
};

type Direction = 'input' | 'output';

/** Devices that play and capture as a clock advances. A test plugs, unplugs and occupies them. */
export class FakeSoundDriver implements SoundDriver {
  readonly speakers: FakeSpeakerStream[] = [];
  readonly microphones: FakeMicrophoneStream[] = [];
  readonly #clock: FakeClock;
  #last: Promise<unknown> = Promise.resolve();
  readonly #busy = new Set<string>();
  #devices: readonly FakeDevice[];
  openingMs = 0;

  /** How long closing the open streams takes. */
  set closingMs(ms: number) {
    for (const stream of this.#open()) stream.closingMs = ms;
  }

  constructor(clock: FakeClock, devices: readonly FakeDevice[] = [fakeBuiltIn, fakeHeadset]) {
    this.#clock = clock;
    this.#devices = devices;
  }

  plug(device: FakeDevice): void {
    this.unplug(device.name);
    this.#devices = [...this.#devices, device];
  }

  unplug(name: string): void {
    this.#devices = this.#devices.filter((device) => device.name !== name);
    for (const stream of this.#open()) if (stream.device.name === name) stream.die();
  }

  /** Makes another device the system's default. */
  makeDefault(name: string): void {
    this.#devices = this.#devices.map((device) => ({
      ...device,
      defaultInput: device.name === name,
      defaultOutput: device.name === name,
    }));
  }

  /** Lets another program take the device, or release it. */
  occupy(name: string, isOccupied: boolean): void {
    if (isOccupied) this.#busy.add(name);
    else this.#busy.delete(name);
  }

  get opened(): number {
    return this.#open().length;
  }

  readonly systemMovesStreams = false;

  readonly devices = (): Promise<Outcome<readonly SoundDevice[]>> =>
    Promise.resolve({ ok: true, value: this.#devices });

  readonly openSpeaker = (
    choice: DeviceChoice,
    wantedRate: number,
  ): Promise<Outcome<SpeakerStream>> =>
    this.#openOne(choice, 'output', wantedRate, (device, rate) => {
      const stream = new FakeSpeakerStream(this.#clock, device, rate);
      this.speakers.push(stream);
      return stream;
    });

  readonly openMicrophone = (
    choice: DeviceChoice,
    wantedRate: number,
    listener: CaptureListener,
  ): Promise<Outcome<MicrophoneStream>> =>
    this.#openOne(choice, 'input', wantedRate, (device, rate) => {
      const stream = new FakeMicrophoneStream(this.#clock, device, rate, listener);
      this.microphones.push(stream);
      return stream;
    });

  /** Opens one stream after another, as a real sound system does. */
  #openOne<Stream>(
    choice: DeviceChoice,
    direction: Direction,
    wantedRate: number,
    create: (device: FakeDevice, rate: number) => Stream,
  ): Promise<Outcome<Stream>> {
    const opening = this.#last.then(async (): Promise<Outcome<Stream>> => {
      await this.#takeTime();
      const device = this.#find(choice, direction);
      if (!device.ok) return device;
      const rate = device.value.onlyItsRate === true ? device.value.rate : wantedRate;
      return { ok: true, value: create(device.value, rate) };
    });
    this.#last = opening;
    return opening;
  }

  #open() {
    return [...this.speakers, ...this.microphones].filter(({ closed }) => !closed);
  }

  async #takeTime(): Promise<void> {
    if (this.openingMs === 0) return;
    await new Promise<void>((resolve) => {
      this.#clock.after(this.openingMs, resolve);
    });
  }

  #find(choice: DeviceChoice, direction: Direction): Outcome<FakeDevice> {
    const input = direction === 'input';
    const usable = this.#devices.filter(
      (device) => (input ? device.inputChannels : device.outputChannels) > 0,
    );
    const found =
      choice === 'default'
        ? usable.find((device) => (input ? device.defaultInput : device.defaultOutput))
        : usable.find((device) => isDeviceNamed(device, choice.name));
    if (found === undefined && choice === 'default') {
      return failure(input ? 'noMicrophone' : 'noSpeaker');
    }
    if (found === undefined) {
      const device = choice === 'default' ? choice : choice.name;
      const known = usable.map(({ name }) => `“${name}”`).join(', ');
      return known === ''
        ? failure('noDeviceCalled', { device })
        : failure('deviceMissing', { device, known });
    }
    if (!this.#busy.has(found.name)) return { ok: true, value: found };
    return failure('deviceTaken', { device: found.name });
  }
}

const callbackMs = 10;
const latencyMs = 20;
const ringSeconds = 30;
const fadeMs = 5;
/** How long a real driver waits before it reports a silent device as dead. */
const deadAfterMs = 500;

/** A stream whose callback runs every 10 ms while its device lives. */
class FakeStream {
  readonly device: SoundDevice;
  readonly rate: number;
  closed = false;
  closingMs = 0;
  protected readonly clock: FakeClock;
  #diedAt: number | undefined;
  #stop: () => void = () => undefined;

  constructor(clock: FakeClock, device: SoundDevice, rate: number) {
    this.clock = clock;
    this.device = device;
    this.rate = rate;
    this.#scheduleCallback();
  }

  get alive(): boolean {
    if (this.closed) return false;
    return this.#diedAt === undefined || this.clock.now() - this.#diedAt < deadAfterMs;
  }

  protected get dead(): boolean {
    return this.#diedAt !== undefined;
  }

  die(): void {
    this.#diedAt ??= this.clock.now();
    this.#stop();
  }

  readonly close = async (): Promise<void> => {
    this.closed = true;
    this.#stop();
    if (this.closingMs === 0) return;
    await new Promise<void>((resolve) => {
      this.clock.after(this.closingMs, resolve);
    });
  };

  protected onCallback(_frames: number): void {
    // Subclasses implement it.
  }

  #scheduleCallback(): void {
    this.#stop = this.clock.after(callbackMs, () => {
      this.#scheduleCallback();
      this.onCallback((this.rate * callbackMs) / 1000);
    });
  }
}

/** A stream that plays its queue into `sound`, 10 ms per callback. */
export class FakeSpeakerStream extends FakeStream implements SpeakerStream {
  /** The audible samples, without silence. */
  readonly sound: number[] = [];
  volume = 1;
  readonly #queue: number[] = [];
  /** How many queued samples still sound after a flush. */
  #fade = 0;
  #dropAfterFade = 0;
  readonly #history: number[] = [0];
  #underruns = 0;
  #repaired = 0;
  /** All output, silence included; its newest sample ended at `#outAt`. */
  readonly #out: number[] = [];
  #outTaken = 0;
  #outAt = 0;

  readonly write = (samples: Float32Array): number => {
    if (this.closed) return 0;
    const count = Math.min(samples.length, this.rate * ringSeconds - this.#queue.length);
    for (let at = 0; at < count; at += 1) {
      const sample = samples[at] ?? 0;
      const isSound = Math.abs(sample) <= 1e6;
      if (!isSound) this.#repaired += 1;
      this.#queue.push(isSound ? sample : 0);
    }
    return count;
  };

  readonly flush = (): { readonly played: number; readonly dropped: number } => {
    if (this.closed) return { played: this.sound.length, dropped: 0 };
    const before = this.#fade + this.#dropAfterFade;
    if (this.#fade === 0) this.#fade = Math.min(this.#queue.length, (this.rate * fadeMs) / 1000);
    this.#dropAfterFade = this.#queue.length - this.#fade;
    const dropped = this.#queue.length - Math.max(before, this.#fade);
    return { played: this.sound.length + this.#fade, dropped };
  };

  readonly setVolume = (volume: number): void => {
    this.volume = volume;
  };

  readonly takePlayed = (into: Float32Array): PlayedChunk => {
    const position = this.#outTaken;
    const part = this.closed ? [] : this.#out.slice(position, position + into.length);
    into.set(part);
    this.#outTaken += part.length;
    const behind = ((this.#out.length - position) * 1000) / this.rate;
    return { count: part.length, position, heardAt: this.#outAt + latencyMs - behind };
  };

  readonly stats = (): SpeakerStreamStats => ({
    alive: this.alive,
    played: this.sound.length,
    // Samples in a dead device are lost; a real driver cannot tell and counts them as heard.
    heard: this.dead ? this.sound.length : (this.#history[0] ?? 0),
    queued: this.closed ? 0 : this.#queue.length,
    underruns: this.#underruns,
    repaired: this.#repaired,
    latencyMs,
  });

  protected override onCallback(frames: number): void {
    const before = this.sound.length;
    if (this.#fade > 0 || this.#dropAfterFade > 0) {
      for (; this.#fade > 0; this.#fade -= 1) this.sound.push(this.#queue.shift() ?? 0);
      this.#queue.splice(0, this.#dropAfterFade);
      this.#dropAfterFade = 0;
    } else {
      const sounding = this.#queue.length > 0;
      for (const sample of this.#queue.splice(0, frames)) this.sound.push(sample);
      if (sounding && this.#queue.length === 0) this.#underruns += 1;
    }
    for (let at = 0; at < frames; at += 1) {
      this.#out.push((this.sound[before + at] ?? 0) * this.volume);
    }
    this.#outAt = this.clock.now();
    this.#history.push(this.sound.length);
    while (this.#history.length > latencyMs / callbackMs + 1) this.#history.shift();
  }
}

/** A stream that captures blocks of 20 ms with a constant sample, `loudness`. */
export class FakeMicrophoneStream extends FakeStream implements MicrophoneStream {
  loudness = 0.5;
  readonly #listener: CaptureListener;
  #repaired = 0;
  #captured = 0;
  #pending = 0;

  constructor(clock: FakeClock, device: SoundDevice, rate: number, listener: CaptureListener) {
    super(clock, device, rate);
    this.#listener = listener;
  }

  readonly stats = (): MicrophoneStreamStats => ({
    alive: this.alive,
    captured: this.#captured,
    lost: 0,
    repaired: this.#repaired,
    latencyMs,
  });

  protected override onCallback(frames: number): void {
    this.#captured += frames;
    this.#pending += frames;
    const block = this.rate / 50;
    if (this.#pending < block) return;
    this.#pending -= block;
    const samples = new Float32Array(block).fill(this.loudness);
    this.#repaired += cleanSamples(samples);
    this.#listener.captured(samples, this.clock.now() - latencyMs - 20);
  }
}
