import {
  CapturePipeline,
  type Microphone,
  type MicrophoneOptions,
  SupervisedMicrophone,
} from '../../../../../electron/audio/capture/microphone.ts';
import type { DeviceChoice } from '../../../../../electron/audio/devices/sound-driver.ts';
import type { DeviceEvent } from '../../../../../electron/audio/devices/stream-supervisor.ts';
import type { EchoCancellation } from '../../../../../electron/audio/echo/echo-cancellation.ts';
import { Speaker } from '../../../../../electron/audio/playback/speaker.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { type FakeDevice, FakeSoundDriver } from '../../../../fakes/fake-sound-driver.ts';

/** A fake sound system with its events and heard sound. */
export class SoundHarness {
  readonly clock = new FakeClock();
  readonly driver: FakeSoundDriver;
  readonly events: DeviceEvent[] = [];
  readonly heard: Float32Array[] = [];

  constructor(devices?: readonly FakeDevice[]) {
    this.driver = new FakeSoundDriver(this.clock, devices);
  }

  /** All samples that the speakers played, in order. */
  get heardSamples(): readonly number[] {
    return this.driver.speakers.flatMap(({ sound }) => sound);
  }

  /** A speaker whose device is open, or unavailable. */
  readonly speaker = (device: DeviceChoice): Promise<Speaker> => {
    const { emit, ...deps } = this.#deps();
    const speaker = new Speaker({ device, emit }, deps);
    return this.#whileTimePasses(speaker.open().then(() => speaker));
  };

  /** A speaker that opens and closes its device on demand. */
  readonly lazySpeaker = (device: DeviceChoice, closeAfterMs: number): Speaker => {
    const { emit, ...deps } = this.#deps();
    return new Speaker({ device, emit, closeAfterMs }, deps);
  };

  readonly microphone = (
    choice: DeviceChoice,
    { allowsSubstitute, ...options }: Partial<MicrophoneOptions> = {},
    echo?: EchoCancellation,
  ): Promise<Microphone> => {
    const sink = { pushAudio: (block: Float32Array) => void this.heard.push(block) };
    const microphone = new SupervisedMicrophone(choice, {
      driver: this.driver,
      clock: this.clock,
      emit: (event) => this.events.push(event),
      allowsSubstitute,
      pipeline: new CapturePipeline(sink, { gain: () => 1, ...options }, echo),
    });
    return this.#whileTimePasses(microphone.begin().then(() => microphone));
  };

  /** Lets promises run between the steps. */
  readonly pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10) {
      this.clock.advance(10);
      await settle();
    }
  };

  /** Samples heard so far, at 16 kHz. */
  get samples(): number {
    return this.heard.reduce((sum, block) => sum + block.length, 0);
  }

  get kinds(): readonly string[] {
    return this.events.map((one) =>
      one.kind === 'lost' ? 'lost' : one.kind === 'moved' ? `moved ${one.device}` : one.device,
    );
  }

  #deps() {
    return {
      driver: this.driver,
      clock: this.clock,
      emit: (event: DeviceEvent) => {
        this.events.push(event);
      },
    };
  }

  async #whileTimePasses<Value>(promise: Promise<Value>): Promise<Value> {
    const state = { done: false };
    void promise.finally(() => (state.done = true));
    await settle();
    while (!state.done) await this.pass(10);
    return promise;
  }
}

/** Runs pending microtasks, and chains of them up to 20 long. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A ramp, so that every sample is identifiable. */
export function numbered(from: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, index) => from + index + 1);
}
