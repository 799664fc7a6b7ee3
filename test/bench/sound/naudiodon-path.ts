import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { inputRate, outputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { OnCaptured, SoundPath } from './sound-path.ts';
import type { Tone } from './tone.ts';

interface Started {
  readonly start: () => void;
  readonly quit: () => Promise<void>;
}

interface Naudiodon {
  readonly AudioIO: {
    (options: { readonly outOptions: object }): Writable & Started;
    (options: { readonly inOptions: object }): Readable & Started;
  };
}

const blockSamples = outputRate / 50;
const common = { channelCount: 1, sampleFormat: 1, deviceId: -1, closeOnError: false } as const;

/** As its documentation has it, with as little queued as it plays without breaks: 4 blocks of 20 ms. */
export function naudiodonPath(tone: Tone, captured: OnCaptured): Promise<SoundPath> {
  const { AudioIO } = createRequire(import.meta.url)('naudiodon') as Naudiodon;
  const openSpeaker = (): Writable & Started => {
    const stream = AudioIO({
      outOptions: {
        ...common,
        sampleRate: outputRate,
        framesPerBuffer: blockSamples,
        maxQueue: 4,
        highwaterMark: blockSamples * 4,
      },
    });
    stream.start();
    return stream;
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
  let playing = false;
  const feed = (): void => {
    if (!playing) return;
    speaker.write(Buffer.from(tone.next(blockSamples).buffer), feed);
  };
  return Promise.resolve({
    play: () => {
      playing = true;
      feed();
    },
    // Its only way to stop that does not throw; afterwards it has to be opened again.
    flush: async () => {
      playing = false;
      await speaker.quit();
      speaker = openSpeaker();
    },
    lost: () => 0,
    close: async () => {
      playing = false;
      await Promise.all([speaker.quit(), microphone.quit()]);
    },
  });
}
