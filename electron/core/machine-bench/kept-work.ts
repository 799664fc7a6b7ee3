import { join } from 'node:path';
import { createFiles } from '../../adapters/files/file-storage.ts';
import { makeScratchFolder } from '../../adapters/files/scratch-folder.ts';
import { createFrames } from '../../adapters/pictures/sharp-frames.ts';
import { loadSharp } from '../../adapters/pictures/load-sharp.ts';
import { bufferBase64 } from '../../adapters/system/buffer-base64.ts';
import { startSha256 } from '../../adapters/system/sha256-digest.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import type { WorkPart } from '../../ports/machine-bench.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { openTapeRecorder } from '../../recorder/recording/open-tape-recorder.ts';
import { SincResampler } from '../../sound/dsp/sinc-resampler.ts';
import { planFrame } from '../../vision/plan-frame.ts';
import { createClientCodec } from '../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import { inputRate, outputRate } from '../../../shared/protocol/protocol-limits.ts';

const seconds = 10;
const blocksASecond = 50;
const camera = { width: 1280, height: 720 };

/** A picture of a camera each second, made ready for the server. */
export async function visionWork(): Promise<Outcome<WorkPart>> {
  const sharp = loadSharp();
  if (!sharp.ok) return sharp;
  const { width, height } = camera;
  // Light and shade: neither the best nor the worst that a JPEG can meet.
  const pixels = Uint8Array.from(
    { length: width * height * 3 },
    (_none, n) => 128 + 90 * Math.sin(n / 700) * Math.cos(n / (width * 31)),
  );
  const raw = { width, height, channels: 3 } as const;
  const file = await sharp.value(pixels, { raw }).jpeg({ quality: 90 }).toBuffer();
  const frames = createFrames();
  return {
    ok: true,
    value: {
      name: 'vision',
      seconds,
      work: async () => {
        for (let second = 0; second < seconds; second += 1) {
          const frame = await frames.prepare(file, (size) => planFrame(size, undefined, 1));
          if (!frame.ok) return frame;
        }
        return { ok: true, value: undefined };
      },
    },
  };
}

/** Its frames and both voices on a tape, as one keeps it; in a folder that is gone afterwards. */
export const recordingWork: WorkPart = {
  name: 'recording',
  seconds,
  work: async () => {
    const { path, remove } = await makeScratchFolder('bench');
    try {
      return await record(join(path, 'tape'));
    } finally {
      await remove();
    }
  },
};

function humAt(rate: number): Float32Array {
  const length = rate / blocksASecond;
  return Float32Array.from({ length }, (_none, n) => 0.3 * Math.sin(n / 9));
}

function framesOfASecond(): { readonly asked: string; readonly answered: string } {
  const audio = new Float32Array(outputRate).fill(0.1);
  const append = { kind: 'append', audio: audio.subarray(0, inputRate) } as const;
  const output = { kind: 'output', wire: 'unified', audio } as const;
  return {
    asked: createClientCodec(bufferBase64).encodeClientEvent(append, 'unified'),
    answered: createServerCodec(bufferBase64).encodeServerEvent(output, 'unified').join(''),
  };
}

async function record(folder: string): Promise<Outcome<undefined>> {
  const header = {
    format: 'parley-tape',
    version: 1,
    mode: 'audio',
    dialect: 'unified',
    chunkMs: 1000,
    settings: {},
    endpoint: 'parley:demonstration',
    sound: 'flac',
    recordedAt: new Date(0).toISOString(),
  } as const;
  const opened = await openTapeRecorder(folder, header, {
    files: createFiles(),
    clock: systemClock,
    base64: bufferBase64,
    digest: startSha256,
    upsampler: () => new SincResampler(inputRate, outputRate),
    // What went wrong is what closing it answers.
    onError: () => undefined,
  });
  if (!opened.ok) return opened;
  const recorder = opened.value;
  recorder.opened(1);
  const [said, heard] = [humAt(inputRate), humAt(outputRate)];
  const { asked, answered } = framesOfASecond();
  for (let block = 0; block < seconds * blocksASecond; block += 1) {
    if (block % blocksASecond === 0) {
      recorder.sent(1, asked);
      recorder.received(1, answered);
    }
    recorder.sounded('you', said);
    recorder.sounded('parley', heard);
  }
  return recorder.close();
}
