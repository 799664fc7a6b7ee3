import { openMicrophone } from '../../../../../electron/sound/devices/microphone.ts';
import type { Microphone } from '../../../../../electron/sound/devices/microphone.ts';
import { Speaker } from '../../../../../electron/sound/playback/speaker.ts';
import type { DeviceEvent } from '../../../../../electron/sound/devices/stream-supervisor.ts';
import type { DeviceChoice } from '../../../../../electron/ports/sound.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeResampler } from '../../../../fakes/fake-resampler.ts';
import { FakeSoundDriver } from '../../../../fakes/fake-sound-driver.ts';
import type { FakeDevice } from '../../../../fakes/fake-sound-driver.ts';

/** A fake sound system with what was told and heard. */
export class SoundStage {
  readonly clock = new FakeClock();
  readonly driver: FakeSoundDriver;
  readonly news: DeviceEvent[] = [];
  readonly heard: Float32Array[] = [];
  readonly converters: FakeResampler[] = [];
  /** Of each captured block, when it came in. */
  readonly times: number[] = [];
  readonly chain = {
    badSamples: 0,
    push: (block: Float32Array, at: number): Float32Array => {
      this.times.push(at);
      return block;
    },
  };

  constructor(devices?: readonly FakeDevice[]) {
    this.driver = new FakeSoundDriver(this.clock, devices);
  }

  /** A speaker with its device open, or not to be had. */
  readonly speaker = (device: DeviceChoice): Promise<Speaker> => {
    const { emit, ...deps } = this.#deps();
    const speaker = new Speaker({ device, emit }, deps);
    return this.#whileTimePasses(speaker.open().then(() => speaker));
  };

  /** One that opens its device by itself and closes it again. */
  readonly lazySpeaker = (device: DeviceChoice, closeAfterMs: number): Speaker => {
    const { emit, ...deps } = this.#deps();
    return new Speaker({ device, emit, closeAfterMs }, deps);
  };

  readonly microphone = (choice: DeviceChoice): Promise<Microphone> =>
    this.#whileTimePasses(
      openMicrophone(choice, {
        ...this.#deps(),
        hear: (block) => this.heard.push(block),
        chain: this.chain,
      }),
    );

  /** What is awaited happens between the steps. */
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
    return this.news.map((one) =>
      one.kind === 'lost' ? 'lost' : one.kind === 'moved' ? `moved ${one.device}` : one.device,
    );
  }

  #deps() {
    return {
      driver: this.driver,
      clock: this.clock,
      convert: (from: number, to: number) => {
        const converter = new FakeResampler(from, to);
        this.converters.push(converter);
        return converter;
      },
      openResampler: (from: number, to: number) => {
        const resampler = new FakeResampler(from, to);
        this.converters.push(resampler);
        return Promise.resolve({ ok: true as const, value: resampler });
      },
      emit: (news: DeviceEvent) => {
        this.news.push(news);
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

/** Lets everything that waits for nothing but its turn have it. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A ramp: every sample says which it is. */
export function numbered(from: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, index) => from + index + 1);
}
