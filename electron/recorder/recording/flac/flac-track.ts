import type { ReadableFile } from '../../../ports/files.ts';
import { decodeFlacFrame, maxFlacHeadBytes, readFlacFrameHead } from './decode-flac-frame.ts';
import type { FlacFrame } from './decode-flac-frame.ts';
import type { FlacHead } from './flac-stream-info.ts';

const blockBytes = 1024 * 1024;
/** No frame of 16 bit is longer. */
const maxFrameBytes = 600_000;
/** So much that is no frame is passed over, as what a full disk has left out: zeros stand there. */
const maxJunkBytes = 64 * 1024 * 1024;
const maxFrames = 4_000_000;

/** The samples of a FLAC file by their numbers, whatever its frames say of it at the beginning. */
export class FlacTrack {
  readonly #file: Pick<ReadableFile, 'readNow' | 'size'>;
  readonly #head: FlacHead;
  /** How many there are, with those that are missing in between. */
  readonly samples: number;
  readonly #firsts: number[] = [];
  readonly #offsets: number[] = [];
  #last: { readonly index: number; readonly frame: FlacFrame | undefined } | undefined;

  /** @param maxSamples more of them are not looked at */
  constructor(file: Pick<ReadableFile, 'readNow' | 'size'>, head: FlacHead, maxSamples: number) {
    this.#file = file;
    this.#head = head;
    this.#findFrames(maxSamples);
    this.samples = this.#dropCutFrames();
  }

  /** Puts some of them into a list, and leaves those that are not there as they are. */
  read(from: number, into: Float32Array): void {
    const end = Math.min(from + into.length, this.samples);
    for (let index = this.#frameAt(from); index < this.#firsts.length; index += 1) {
      const first = this.#firsts[index] ?? end;
      if (first >= end) return;
      const samples = this.#frame(index)?.samples[0];
      if (samples === undefined) continue;
      const begin = Math.max(0, from - first);
      const until = Math.min(samples.length, end - first);
      for (let n = begin; n < until; n += 1) into[first + n - from] = (samples[n] ?? 0) / 32_768;
    }
  }

  /** The last one may be cut; the others are read when they are wanted. */
  #dropCutFrames(): number {
    for (let last = this.#firsts.length - 1; last >= 0; last -= 1) {
      const frame = this.#frame(last);
      if (frame !== undefined) return frame.first + frame.length;
      this.#firsts.pop();
      this.#offsets.pop();
      this.#last = undefined;
    }
    return 0;
  }

  #findFrames(maxSamples: number): void {
    let next = 0;
    let place = this.#head.framesStart;
    for (let start = place; start < this.#file.size; start += blockBytes) {
      // A header may lie across the end of a block.
      const read = this.#file.readNow(start, blockBytes + maxFlacHeadBytes);
      if (!read.ok || start - place > maxJunkBytes) return;
      const bytes = read.value;
      for (let at = bytes.indexOf(0xff); at !== -1 && at < blockBytes;) {
        const head = readFlacFrameHead(bytes, at, this.#head.block);
        const known =
          head !== undefined && (head.first === next || this.#isFrame(start + at, next));
        if (known) {
          if (head.first + head.length > maxSamples || this.#firsts.length >= maxFrames) return;
          this.#firsts.push(head.first);
          this.#offsets.push(start + at);
          next = head.first + head.length;
          place = start + at;
        }
        at = bytes.indexOf(0xff, at + (known ? head.bytes : 1));
      }
    }
  }

  /** After a gap what looks like a header may be none. */
  #isFrame(offset: number, next: number): boolean {
    const read = this.#file.readNow(offset, maxFrameBytes);
    const frame = read.ok ? decodeFlacFrame(read.value, 0, this.#head.block) : undefined;
    return frame !== undefined && frame.first >= next;
  }

  /** The last one that begins no later. */
  #frameAt(sample: number): number {
    let [low, high] = [0, this.#firsts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#firsts[middle] ?? 0) <= sample) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Sounds are asked for in order: the next ones stand in the same frame. */
  #frame(index: number): FlacFrame | undefined {
    if (this.#last?.index === index) return this.#last.frame;
    const offset = this.#offsets[index] ?? this.#file.size;
    const end = this.#offsets[index + 1] ?? this.#file.size;
    const read = this.#file.readNow(offset, Math.min(end - offset, maxFrameBytes));
    const frame = read.ok ? decodeFlacFrame(read.value, 0, this.#head.block) : undefined;
    this.#last = { index, frame };
    return frame;
  }
}
