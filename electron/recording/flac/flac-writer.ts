import { encodeSamples } from '../../../shared/wav/encode-wav.ts';
import type { FileWriter } from '../../ports/files.ts';
import type { WavWriter } from '../wav-writer.ts';
import { encodeFlacFrame } from './encode-flac-frame.ts';
import { encodeFlacHead, maxFlacBlock } from './flac-stream-info.ts';
import type { FlacStreamInfo } from './flac-stream-info.ts';

/** A FLAC file of 16 bit that grows: what is written is in the file at once, and nothing is held back. */
export function openFlacWriter(file: FileWriter, info: FlacStreamInfo): WavWriter {
  const { rate, channels } = info;
  let written = 0;
  file.append(encodeFlacHead(info, 0));
  return {
    write: (samples) => {
      const bytes = encodeSamples(samples, 'pcm16');
      const pcm = new Int16Array(bytes.buffer);
      for (const block of blocksOf(pcm.length / channels)) {
        const sides = Array.from({ length: channels }, (_none, channel) =>
          Int32Array.from(
            { length: block.frames },
            (_sample, n) => pcm[(block.from + n) * channels + channel] ?? 0,
          ),
        );
        file.append(encodeFlacFrame(sides, written / channels + block.from, rate));
      }
      written += samples.length;
    },
    get samplesWritten() {
      return written;
    },
    finish: () => {
      file.writeAt(0, encodeFlacHead(info, written / channels));
      return file.close();
    },
  };
}

/** Of nearly the same length, so that none is short. */
function blocksOf(frames: number): readonly { readonly from: number; readonly frames: number }[] {
  const count = Math.ceil(frames / maxFlacBlock);
  return Array.from({ length: count }, (_none, n) => {
    const from = Math.round((frames * n) / count);
    return { from, frames: Math.round((frames * (n + 1)) / count) - from };
  });
}
