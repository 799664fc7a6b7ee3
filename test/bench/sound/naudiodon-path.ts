import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { OnCaptured, SoundPath } from './sound-path.ts';
import type { Tone } from './tone.ts';

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

/** What is written plays behind so much. */
export const queuedMs = blocks * blockMs;

const common = { channelCount: 1, sampleFormat: 1, deviceId: -1, closeOnError: false } as const;

/**
 * As its documentation has it, with as little queued as it plays without breaks: 4 blocks of 20 ms. Where there is nothing to
 * say it plays silence, as a card does: its callback waits for the next block in the device's own thread, and a virtual
 * card that has been left without any takes the first that comes at once, ahead of every queue there is.
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
        // Whatever is written from here on is queued without end.
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
    // Its only way to stop that does not throw; afterwards it has to be opened again.
    flush: async () => {
      const stopped = speaker.quit();
      playing = false;
      await stopped;
      speaker = openSpeaker();
    },
    lost: () => 0,
    close: async () => {
      await Promise.all([speaker.quit(), microphone.quit()]);
    },
  });
}
