import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { SoundDriver, SpeakerStream } from '../devices/sound-driver.ts';
import { writeRing } from '../dsp/samples.ts';
import { dotProduct, SincKernel } from '../dsp/sinc-resampler.ts';
import { playedClock, SmoothedClock } from './smoothed-clock.ts';

/** Looks up the far end by the time it was heard. */
export interface FarEndReference {
  readonly speaker: string | undefined;
  /** The newest stretch of playback while its start time is still being estimated. */
  readonly newest?: NewestStretch | undefined;
  readonly fill: (reference: Float32Array, from: number, stepMs?: number) => void;
}

interface Source {
  readonly stream: SpeakerStream;
  reference: EchoReference | undefined;
}

/** A stream that died may have been heard until a moment ago; older ones are over. */
const maxSources = 3;
const partSamples = 4096;

/** Records what speaker streams really played, recently closed ones included, so a change leaves no gap. */
export class FarEndSignal implements FarEndReference {
  #sources: readonly Source[] = [];
  readonly #part = new Float32Array(partSamples);
  #other = new Float32Array();

  /** Wraps a driver to record its speaker streams. */
  watch(driver: SoundDriver): SoundDriver {
    return {
      ...driver,
      openSpeaker: async (device, rate) => {
        const opened = await driver.openSpeaker(device, rate);
        if (opened.ok) this.#add(opened.value);
        return opened;
      },
    };
  }

  get speaker(): string | undefined {
    return this.#sources[0]?.stream.device.name;
  }

  get newest(): NewestStretch | undefined {
    return this.#sources[0]?.reference?.newest;
  }

  readonly fill = (reference: Float32Array, from: number, stepMs?: number): void => {
    reference.fill(0);
    if (this.#other.length !== reference.length) this.#other = new Float32Array(reference.length);
    for (const source of this.#sources) {
      this.#gather(source).fill(this.#other, from, stepMs);
      for (let n = 0; n < reference.length; n += 1) {
        reference[n] = (reference[n] ?? 0) + (this.#other[n] ?? 0);
      }
    }
  };

  #add(stream: SpeakerStream): void {
    this.#sources = [{ stream, reference: undefined }, ...this.#sources].slice(0, maxSources);
  }

  #gather(source: Source): EchoReference {
    const { stream } = source;
    source.reference ??= new EchoReference({ playedRate: stream.rate, capturedRate: inputRate });
    const { reference } = source;
    const part = this.#part;
    for (;;) {
      const { count, position, heardAt } = stream.takePlayed(part);
      reference.played(part.subarray(0, count), position, heardAt);
      if (count < part.length) return reference;
    }
  }
}

export interface EchoReferenceOptions {
  readonly playedRate: number;
  readonly capturedRate: number;
  /** Longer than the longest delay from the speaker to a captured block. */
  readonly keepMs?: number;
}

interface Stretch {
  /** Position of its first sample in all recorded samples. */
  readonly start: number;
  end: number;
  /** The rest is silence. */
  audibleEnd: number;
  /** Add this to a recorded position for the speaker's position. */
  readonly shift: number;
  readonly line: SmoothedClock;
}

export interface NewestStretch {
  readonly place: number;
  readonly at: number;
}

/** After this the start time of a stretch is final. */
const newMs = 400;

/** Recent playback, looked up by time. The speaker reports what its callback played; the gaps were silence. */
export class EchoReference {
  readonly #ring: Float32Array;
  readonly #reader: SincReader;
  readonly #playedRate: number;
  readonly #stepMs: number;
  #stretches: Stretch[] = [];
  #end = 0;

  constructor({ playedRate, capturedRate, keepMs = 2000 }: EchoReferenceOptions) {
    this.#ring = new Float32Array(Math.ceil((keepMs * playedRate) / 1000));
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
    const stretch = this.#stretchFor(position, heardAt);
    writeRing(this.#ring, this.#end % this.#ring.length, block);
    this.#end += block.length;
    stretch.end = this.#end;
    const silent = silentTail(block);
    if (silent < block.length) stretch.audibleEnd = this.#end - silent;
    const oldest = this.#end - this.#ring.length;
    if ((this.#stretches[0]?.end ?? 0) <= oldest) {
      this.#stretches = this.#stretches.filter(({ end }) => end > oldest);
    }
  }

  /** Undefined once its start time is final. */
  get newest(): NewestStretch | undefined {
    const last = this.#stretches.at(-1);
    if (last === undefined) return undefined;
    const isNew = last.end - last.start < (newMs * this.#playedRate) / 1000;
    return isNew ? { place: last.start, at: last.line.timeOf(last.start + last.shift) } : undefined;
  }

  /** Fills the reference with what was heard from that time on, at the captured rate. */
  fill(reference: Float32Array, from: number, stepMs: number = this.#stepMs): void {
    reference.fill(0);
    const oldest = this.#end - this.#ring.length;
    // In order: where a restarted stream overlaps an older one, the newer was heard.
    for (const { start, end, audibleEnd, shift, line } of this.#stretches) {
      const begin = Math.max(start, oldest);
      const place = line.positionAt(from) - shift;
      const pace = stepMs / line.step;
      const first = Math.max(0, Math.ceil((begin - place) / pace));
      // Skips the silence between answers, which is most of the playback.
      const read = Math.min(end, audibleEnd + this.#reader.reach);
      const last = Math.min(reference.length, Math.ceil((read - place) / pace));
      for (let n = first; n < last; n += 1) {
        reference[n] = this.#reader.at(place + n * pace, begin, end);
      }
    }
  }

  #stretchFor(position: number, heardAt: number): Stretch {
    const last = this.#stretches.at(-1);
    const continues = last?.line.fits(position, heardAt) ?? false;
    if (last !== undefined && continues) {
      last.line.report(position, heardAt);
      if (position - last.shift === this.#end) return last;
    }
    // Lost samples or a gap end the stretch.
    const line =
      last !== undefined && continues
        ? last.line
        : new SmoothedClock(this.#playedRate, position, heardAt, playedClock, last?.line);
    const start = this.#end;
    const stretch = { start, end: start, audibleEnd: start, shift: position - start, line };
    this.#stretches.push(stretch);
    return stretch;
  }
}

function silentTail(block: Float32Array): number {
  let silent = 0;
  while (silent < block.length && block[block.length - 1 - silent] === 0) silent += 1;
  return silent;
}

/** Positions between two samples; rounding to the nearest is wrong by at most 1/512 sample. */
const phases = 256;
/** An echo reference needs less precision than playback, and is read constantly. */
const crossings = 16;

/** Interpolates in a ring buffer, low-passed at `ratio` of the Nyquist frequency. */
class SincReader {
  readonly #ring: Float32Array;
  readonly #kernel: SincKernel;

  constructor(ring: Float32Array, ratio: number) {
    this.#ring = ring;
    this.#kernel = new SincKernel(ratio, phases, crossings);
  }

  /** Number of samples after a sound that it still influences. */
  get reach(): number {
    return this.#kernel.reach + 1;
  }

  /** The value at a position; samples outside `from` (inclusive) to `to` (exclusive) count as silence. */
  at(place: number, from: number, to: number): number {
    const near = Math.round(place * phases);
    const whole = Math.floor(near / phases);
    const row = this.#kernel.row(near - whole * phases);
    const ring = this.#ring;
    const start = whole - this.#kernel.reach;
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
