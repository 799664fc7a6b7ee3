import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { SoundDriver, SpeakerStream } from '../devices/sound-driver.ts';
import { writeRing } from '../dsp/samples.ts';
import { dotProduct, SincKernel } from '../dsp/sinc-resampler.ts';
import { playedClock, SmoothedClock } from './smoothed-clock.ts';

/** The sound of all speakers by the time it was heard, as `EchoCancellation` reads it. `FarEndSignal` implements it. */
export interface FarEndReference {
  readonly speaker: string | undefined;
  /** The newest segment of playback, while its start time is still being estimated. */
  readonly newest?: NewestSegment | undefined;
  readonly fill: (reference: Float32Array, from: number, stepMs?: number) => void;
}

interface Source {
  readonly stream: SpeakerStream;
  history: SpeakerHistory | undefined;
}

/** Number of newest streams whose sound is kept even if they are closed, because their echo may still arrive. */
const maxClosedSources = 3;
const partSamples = 4096;

/** Records what the speaker streams played. It keeps recently closed ones, so that a change of device leaves no gap. */
export class FarEndSignal implements FarEndReference {
  #sources: readonly Source[] = [];
  readonly #part = new Float32Array(partSamples);
  #sourceSamples = new Float32Array();

  /** Wraps a driver to record its speaker streams. */
  watch(driver: SoundDriver): SoundDriver {
    return {
      ...driver,
      openSpeaker: async (device, rate) => {
        const opened = await driver.openSpeaker(device, rate);
        if (opened.ok) {
          const source = { stream: opened.value, history: undefined };
          this.#sources = [source, ...this.#sources].filter(
            ({ stream }, age) => age < maxClosedSources || stream.stats().alive,
          );
        }
        return opened;
      },
    };
  }

  get speaker(): string | undefined {
    return this.#sources[0]?.stream.device.name;
  }

  get newest(): NewestSegment | undefined {
    return this.#sources[0]?.history?.newest;
  }

  readonly fill = (reference: Float32Array, from: number, stepMs?: number): void => {
    reference.fill(0);
    if (this.#sourceSamples.length !== reference.length)
      this.#sourceSamples = new Float32Array(reference.length);
    for (const source of this.#sources) {
      this.#updateHistory(source).fill(this.#sourceSamples, from, stepMs);
      for (let n = 0; n < reference.length; n += 1) {
        reference[n] = (reference[n] ?? 0) + (this.#sourceSamples[n] ?? 0);
      }
    }
  };

  #updateHistory(source: Source): SpeakerHistory {
    const { stream } = source;
    source.history ??= new SpeakerHistory({ playedRate: stream.rate, capturedRate: inputRate });
    const { history } = source;
    const part = this.#part;
    for (;;) {
      const { count, position, heardAt } = stream.takePlayed(part);
      history.played(part.subarray(0, count), position, heardAt);
      if (count < part.length) return history;
    }
  }
}

export interface SpeakerHistoryOptions {
  readonly playedRate: number;
  readonly capturedRate: number;
  /** Longer than the largest delay from the speaker to a captured block. */
  readonly memoryMs?: number;
}

interface PlayedSegment {
  /** Position of the segment's first sample, counted over all recorded samples. */
  readonly start: number;
  end: number;
  /** From here to `end` the segment is silent. */
  audibleEnd: number;
  /** Added to a recorded position, this gives the speaker's position. */
  readonly shift: number;
  readonly clock: SmoothedClock;
}

export interface NewestSegment {
  readonly position: number;
  readonly startsAt: number;
}

/** The start time of a segment is final after this length. */
const settlingMs = 400;

/** The recent playback of one speaker stream, by time. The stream reports what its callback played; gaps are silent. */
export class SpeakerHistory {
  readonly #ring: Float32Array;
  readonly #reader: SincReader;
  readonly #playedRate: number;
  readonly #stepMs: number;
  #segments: PlayedSegment[] = [];
  #end = 0;

  constructor({ playedRate, capturedRate, memoryMs = 2000 }: SpeakerHistoryOptions) {
    this.#ring = new Float32Array(Math.ceil((memoryMs * playedRate) / 1000));
    this.#reader = new SincReader(this.#ring, Math.min(1, capturedRate / playedRate));
    this.#playedRate = playedRate;
    this.#stepMs = 1000 / capturedRate;
  }

  /**
   * Records played samples: `position` is the speaker's count before them, and `heardAt` the time of the first,
   * in milliseconds on the clock of captured blocks.
   */
  played(block: Float32Array, position: number, heardAt: number): void {
    if (block.length === 0) return;
    const segment = this.#segmentFor(position, heardAt);
    writeRing(this.#ring, this.#end % this.#ring.length, block);
    this.#end += block.length;
    segment.end = this.#end;
    const silentCount = silentTail(block);
    if (silentCount < block.length) segment.audibleEnd = this.#end - silentCount;
    const oldest = this.#end - this.#ring.length;
    if ((this.#segments[0]?.end ?? 0) <= oldest) {
      this.#segments = this.#segments.filter(({ end }) => end > oldest);
    }
  }

  /** The last segment; undefined once its start time is final. */
  get newest(): NewestSegment | undefined {
    const last = this.#segments.at(-1);
    if (last === undefined) return undefined;
    const isRecent = last.end - last.start < (settlingMs * this.#playedRate) / 1000;
    return isRecent
      ? { position: last.start, startsAt: last.clock.timeOf(last.start + last.shift) }
      : undefined;
  }

  /** Fills the reference with what was heard from the time `from` on, one sample every `stepMs`. */
  fill(reference: Float32Array, from: number, stepMs: number = this.#stepMs): void {
    reference.fill(0);
    const oldest = this.#end - this.#ring.length;
    // From old to new: where a restarted segment overlaps an older one, the newer one was heard.
    for (const { start, end, audibleEnd, shift, clock } of this.#segments) {
      const begin = Math.max(start, oldest);
      const position = clock.positionAt(from) - shift;
      const step = stepMs / clock.step;
      const first = Math.max(0, Math.ceil((begin - position) / step));
      // Skips the silence between answers, which is most of the playback.
      const read = Math.min(end, audibleEnd + this.#reader.reach);
      const last = Math.min(reference.length, Math.ceil((read - position) / step));
      for (let n = first; n < last; n += 1) {
        reference[n] = this.#reader.valueAt(position + n * step, begin, end);
      }
    }
  }

  #segmentFor(position: number, heardAt: number): PlayedSegment {
    const last = this.#segments.at(-1);
    const continues = last?.clock.fits(position, heardAt) ?? false;
    if (last !== undefined && continues) {
      last.clock.report(position, heardAt);
      if (position - last.shift === this.#end) return last;
    }
    // Samples were lost, or there was a gap, so a new segment begins.
    const clock =
      last !== undefined && continues
        ? last.clock
        : new SmoothedClock(this.#playedRate, position, heardAt, playedClock, last?.clock);
    const start = this.#end;
    const segment = { start, end: start, audibleEnd: start, shift: position - start, clock };
    this.#segments.push(segment);
    return segment;
  }
}

function silentTail(block: Float32Array): number {
  let silentCount = 0;
  while (silentCount < block.length && block[block.length - 1 - silentCount] === 0)
    silentCount += 1;
  return silentCount;
}

/** Number of positions between two samples. Rounding to the nearest errs by at most 1/512 sample. */
const phases = 256;
/** Fewer than for playback: the reference needs less precision, and is read constantly. */
const crossings = 16;

/** Interpolates in a ring buffer, low-passed at `ratio` of the Nyquist frequency. */
class SincReader {
  readonly #ring: Float32Array;
  readonly #kernel: SincKernel;

  constructor(ring: Float32Array, ratio: number) {
    this.#ring = ring;
    this.#kernel = new SincKernel(ratio, phases, crossings);
  }

  /** Number of samples after the end of a sound that the sound still influences. */
  get reach(): number {
    return this.#kernel.reach + 1;
  }

  /** The value at a position; samples outside `from` (inclusive) to `to` (exclusive) count as silence. */
  valueAt(position: number, from: number, to: number): number {
    const nearest = Math.round(position * phases);
    const base = Math.floor(nearest / phases);
    const row = this.#kernel.row(nearest - base * phases);
    const ring = this.#ring;
    const start = base - this.#kernel.reach;
    const last = Math.min(start + row.length, to);
    let sum = 0;
    // The samples form one piece, or two where the ring wraps.
    for (let index = Math.max(start, from); index < last;) {
      const slot = index % ring.length;
      const count = Math.min(last - index, ring.length - slot);
      sum += dotProduct(ring, slot, row, index - start, count);
      index += count;
    }
    return sum;
  }
}
