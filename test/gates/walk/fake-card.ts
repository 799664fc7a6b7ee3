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

/** One stream, as far as whoever drives it looks. */
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

interface Told {
  /** A block has come: to be called is what the addon would call. */
  readonly block: (wake: () => void) => void;
  readonly write: () => void;
  readonly flush: () => void;
}

/** The addon's place, so that everything above it is the real one: what it is given is told at once. */
export class FakeCard {
  microphone: CardStream | undefined;
  #loudness = 0;

  readonly #told: Told;

  constructor(told: Told) {
    this.#told = told;
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
        told.write();
        if (stream instanceof CardStream) stream.moved += samples.length;
        return samples.length;
      },
      flush: () => {
        told.flush();
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
      readCounters: (stream, figures) => {
        if (!(stream instanceof CardStream)) return;
        stream.callbacks += 1;
        const now = performance.now() / 1000;
        figures[counterAt.active] = 1;
        figures[counterAt.callbacks] = stream.callbacks;
        figures[counterAt.now] = now;
        figures[counterAt.moved] = stream.moved;
        figures[counterAt.queued] = stream.queued;
        figures[counterAt.markTime] = stream.began / 1000;
      },
    };
    const { cache, resolve } = createRequire(import.meta.url);
    for (const name of ['naudiodon', 'parley-sound'])
      Object.assign(cache, { [resolve(name)]: { loaded: true, exports: native } });
  }

  /** Speaks, or is silent, for so long, as fast as a microphone does. */
  async hear(loudness: number, ms: number): Promise<void> {
    this.#loudness = loudness;
    for (let heard = 0; heard < ms; heard += 20) {
      const { microphone } = this;
      if (microphone?.wake !== undefined) {
        microphone.queued += microphone.rate / 50;
        this.#told.block(microphone.wake);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
}
