import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { instant } from '../../contract/sound/player.ts';
import { Tone, ToneWatch } from './tone.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { unwrap } from '../../fakes/unwrap.ts';

// The measured child process: sound through our driver or plain naudiodon.

export interface Command {
  readonly id: number;
  readonly what: 'play' | 'flush' | 'reset' | 'began';
}

export interface Reply {
  readonly id: number;
  readonly at: number;
  /** When the microphone first had sound since `reset`. */
  readonly began?: number | undefined;
}

export async function run(which: string): Promise<void> {
  const watch = new ToneWatch();
  const onCaptured: OnCaptured = (block) => {
    watch.push(block, instant());
  };
  const tone = new Tone(outputRate);
  const path =
    which === 'ours' ? await ourPath(tone, onCaptured) : await naudiodonPath(tone, onCaptured);
  const actions: Readonly<Record<Command['what'], () => unknown>> = {
    play: path.play,
    flush: path.flush,
    reset: () => {
      watch.reset();
    },
    began: () => undefined,
  };
  async function carryOut({ id, what }: Command): Promise<void> {
    const at = instant();
    await actions[what]();
    process.send?.({ id, at, began: watch.began } satisfies Reply);
  }
  process.on('message', (command: Command) => void carryOut(command));
  process.send?.({ id: 0 });
}

/** A driver for the sound card. */
export interface SoundPath {
  /** Plays the tone until `flush`. */
  readonly play: () => void;
  readonly flush: () => Promise<void>;
}

export type OnCaptured = (block: Float32Array) => void;

export async function ourPath(tone: Tone, captured: OnCaptured): Promise<SoundPath> {
  const driver = createPortAudioDriver();
  const speaker = unwrap(await driver.openSpeaker('default', outputRate));
  unwrap(await driver.openMicrophone('default', inputRate, { captured }));
  let filling: NodeJS.Timeout | undefined;
  const fill = (): void => {
    const wanted = outputRate - speaker.stats().queued;
    if (wanted > 0) speaker.write(tone.next(wanted));
  };
  return {
    play: () => {
      fill();
      filling = setInterval(fill, 200);
    },
    flush: () => {
      clearInterval(filling);
      speaker.flush();
      return Promise.resolve();
    },
  };
}

interface Quittable {
  readonly quit: () => Promise<void>;
}

interface Started extends Quittable {
  readonly start: () => void;
}

interface Naudiodon {
  readonly AudioIO: {
    (options: { readonly outOptions: object }): Writable & Started;
    (options: { readonly inOptions: object }): Readable & Started;
  };
}

const blockMs = 20;
const blocks = 4;
const blockSamples = (outputRate * blockMs) / 1000;

/** Queue length before a new block. */
export const queuedMs = blocks * blockMs;

const common = { channelCount: 1, sampleFormat: 1, deviceId: -1, closeOnError: false } as const;

/**
 * naudiodon as documented, with the shortest queue without breaks: 4 blocks of 20 ms. Between tones it plays silence,
 * because without data naudiodon's callback blocks the device's thread. The virtual card would then play the next block at
 * once, and the measured delay would not include the time in the queue.
 */
export function naudiodonPath(tone: Tone, captured: OnCaptured): Promise<SoundPath> {
  const { AudioIO } = createRequire(import.meta.url)('naudiodon') as Naudiodon;
  let playing = false;
  const openSpeaker = (): Quittable => {
    const stream = AudioIO({
      outOptions: {
        ...common,
        sampleRate: outputRate,
        framesPerBuffer: blockSamples,
        maxQueue: blocks,
        highwaterMark: blockSamples * 4,
      },
    });
    stream.start();
    let over = false;
    const feed = (): void => {
      if (over) return;
      const block = playing ? tone.next(blockSamples) : new Float32Array(blockSamples);
      stream.write(Buffer.from(block.buffer), feed);
    };
    feed();
    return {
      quit: () => {
        // Later writes would be queued forever.
        over = true;
        return stream.quit();
      },
    };
  };
  const microphone = AudioIO({
    inOptions: {
      ...common,
      sampleRate: inputRate,
      framesPerBuffer: inputRate / 50,
      maxQueue: 64,
      highwaterMark: (inputRate / 50) * 4,
    },
  });
  microphone.on('data', (bytes: Buffer) => {
    captured(new Float32Array(new Uint8Array(bytes).buffer));
  });
  microphone.start();
  let speaker = openSpeaker();
  return Promise.resolve({
    play: () => {
      playing = true;
    },
    // The only stop that does not throw; afterwards the stream must be reopened.
    flush: async () => {
      const stopped = speaker.quit();
      playing = false;
      await stopped;
      speaker = openSpeaker();
    },
  });
}
