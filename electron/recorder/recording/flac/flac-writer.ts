import { encodeSamples } from '../../../../shared/wav/encode-wav.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { FileWriter } from '../../../ports/files.ts';
import type { WavWriter } from '../wav-writer.ts';
import { encodeFlacFrame } from './encode-flac-frame.ts';
import { encodeFlacHead, maxFlacBlock } from './flac-stream-info.ts';
import type { FlacStreamInfo } from './flac-stream-info.ts';

interface WaitingBlock {
  /** The number of its first sample in the file. */
  readonly first: number;
  /** Of several channels in turn. */
  readonly pcm: Int16Array;
}

/**
 * A FLAC file of 16 bit that grows, frame by frame, and of which nothing is held back until more comes.
 *
 * @param clock where what is written must not wait: frames are made right after that, one at a time
 */
export function openFlacWriter(
  file: FileWriter,
  info: FlacStreamInfo,
  clock?: Pick<Clock, 'after'>,
): WavWriter {
  const { rate, channels } = info;
  const waiting: WaitingBlock[] = [];
  let written = 0;
  let stopWaiting: (() => void) | undefined;

  const encodeNext = (): void => {
    const block = waiting.shift();
    if (block === undefined) return;
    file.append(encodeFlacFrame(sidesOf(block.pcm, channels), block.first, rate));
  };
  const encodeLater = (): void => {
    stopWaiting ??= clock?.after(0, () => {
      stopWaiting = undefined;
      encodeNext();
      if (waiting.length > 0) encodeLater();
    });
  };

  file.append(encodeFlacHead(info, 0));
  return {
    write: (samples) => {
      const pcm = new Int16Array(encodeSamples(samples, 'pcm16').buffer);
      for (const { from, frames } of blocksOf(pcm.length / channels)) {
        const part = pcm.subarray(from * channels, (from + frames) * channels);
        waiting.push({ first: written / channels + from, pcm: part });
      }
      written += samples.length;
      if (clock !== undefined) encodeLater();
      else while (waiting.length > 0) encodeNext();
    },
    get samplesWritten() {
      return written;
    },
    finish: () => {
      stopWaiting?.();
      while (waiting.length > 0) encodeNext();
      file.writeAt(0, encodeFlacHead(info, written / channels));
      return file.close();
    },
  };
}

function sidesOf(pcm: Int16Array, channels: number): readonly Int32Array[] {
  // One alone need not be told from another.
  if (channels === 1) return [new Int32Array(pcm)];
  return Array.from({ length: channels }, (_none, channel) => {
    const side = new Int32Array(pcm.length / channels);
    for (let n = 0, at = channel; n < side.length; n += 1, at += channels) side[n] = pcm[at] ?? 0;
    return side;
  });
}

/** Of nearly the same length, so that none is short. */
function blocksOf(frames: number): readonly { readonly from: number; readonly frames: number }[] {
  const count = Math.ceil(frames / maxFlacBlock);
  return Array.from({ length: count }, (_none, n) => {
    const from = Math.round((frames * n) / count);
    return { from, frames: Math.round((frames * (n + 1)) / count) - from };
  });
}
