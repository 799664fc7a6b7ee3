import { createRequire } from 'node:module';
import {
  counterAt,
  type NativeDevice,
  type NativeSound,
  type NativeStream,
} from '../../../electron/platform/portaudio/portaudio-addon.ts';

const device: NativeDevice = {
  index: 0,
  name: 'Card',
  hostApi: 'Fake',
  inputChannels: 1,
  outputChannels: 1,
  rate: 48_000,
  defaultInput: 1,
  defaultOutput: 1,
};

/** A stream with the counters that the driver reads. */
class CardStream implements NativeStream {
  declare readonly nativeStream: NativeStream['nativeStream'];
  readonly rate: number;
  readonly wake: (() => void) | undefined;
  readonly began = performance.now();
  callbacks = 0;
  moved = 0;
  queued = 0;

  constructor(rate: number, wake?: () => void) {
    this.rate = rate;
    this.wake = wake;
  }
}

interface CardEvents {
  /** A block is ready; `wake` is the addon's callback. */
  readonly block: (wake: () => void) => void;
  readonly write: () => void;
  readonly flush: () => void;
}

/** Replaces the native addon, so that all code above it is real, and reports its calls. */
export class FakeCard {
  microphone: CardStream | undefined;
  #loudness = 0;

  readonly #events: CardEvents;

  constructor(events: CardEvents) {
    this.#events = events;
    const native: NativeSound = {
      copies: 6,
      initialize: () => Promise.resolve([device]),
      terminate: () => Promise.resolve(),
      openSpeaker: ({ rate }) => Promise.resolve(new CardStream(rate)),
      openMicrophone: ({ rate }, _samples, wake) => {
        this.microphone = new CardStream(rate, wake);
        return Promise.resolve(this.microphone);
      },
      close: () => Promise.resolve(),
      write: (stream, samples) => {
        events.write();
        if (stream instanceof CardStream) stream.moved += samples.length;
        return samples.length;
      },
      flush: () => {
        events.flush();
        return { played: 0, dropped: 0 };
      },
      setVolume: () => undefined,
      take: (stream, into) => {
        if (stream !== this.microphone) return 0;
        for (let at = 0; at < into.length; at += 1)
          into[at] = this.#loudness * (at % 40 < 20 ? 1 : -1);
        this.microphone.queued -= into.length;
        this.microphone.moved += into.length;
        return into.length;
      },
      readCounters: (stream, counters) => {
        if (!(stream instanceof CardStream)) return;
        stream.callbacks += 1;
        const now = performance.now() / 1000;
        counters[counterAt.active] = 1;
        counters[counterAt.callbacks] = stream.callbacks;
        counters[counterAt.now] = now;
        counters[counterAt.moved] = stream.moved;
        counters[counterAt.queued] = stream.queued;
        counters[counterAt.markTime] = stream.began / 1000;
      },
    };
    const { cache, resolve } = createRequire(import.meta.url);
    for (const name of ['naudiodon', 'parley-sound'])
      Object.assign(cache, { [resolve(name)]: { loaded: true, exports: native } });
  }

  /** Delivers sound of this loudness (0 is silence) in real time. */
  async hear(loudness: number, ms: number): Promise<void> {
    this.#loudness = loudness;
    for (let heard = 0; heard < ms; heard += 20) {
      const { microphone } = this;
      if (microphone?.wake !== undefined) {
        microphone.queued += microphone.rate / 50;
        this.#events.block(microphone.wake);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
}
