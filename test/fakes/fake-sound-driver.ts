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
import type { FakeClock } from './fake-clock.ts';
import { FakeMicrophoneStream, FakeSpeakerStream } from './fake-sound-streams.ts';

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
