import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { SoundDriver, SpeakerStream } from '../devices/sound-driver.ts';
import { writeRing } from '../dsp/samples.ts';
import { SincKernel } from '../dsp/sinc-resampler.ts';
import { playedClock, SmoothedClock } from './smoothed-clock.ts';

/** Looks up what was played by the time it was heard. */
export interface FarEndReference {
  /** The name of what plays now, or did last. */
  readonly speaker: string | undefined;
  /** The stretch that began to be heard last, while it is still found out when. */
  readonly newest?: NewestStretch | undefined;
  readonly fill: (reference: Float32Array, from: number, stepMs?: number) => void;
}

interface Source {
  readonly stream: SpeakerStream;
  /** Made when somebody first asks what was played. */
  reference: EchoReference | undefined;
}

/** A stream that died was heard until a moment ago; more than that is past. */
const maxSources = 3;
const partSamples = 4096;

/**
 * Remembers what the streams of a driver really played, whoever keeps them: the newest ones, so that
 * a change of device leaves no hole.
 */
export class FarEndSignal implements FarEndReference {
  #sources: readonly Source[] = [];
  readonly #part = new Float32Array(partSamples);
  #other = new Float32Array();

  /** The same driver; what its speakers play is known here. */
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
  /** More than the longest delay from the loudspeaker to a captured block. */
  readonly keepMs?: number;
}

/** Samples that were heard one right after the other. */
interface Stretch {
  /** Its first sample's place in everything that was played. */
  readonly start: number;
  end: number;
  /** Behind this it is silent. */
  audibleEnd: number;
  /** The speaker's number of a sample is its place plus this. */
  readonly shift: number;
  readonly line: SmoothedClock;
}

/** When the first sample of the newest stretch was heard, as far as is known by now. */
export interface NewestStretch {
  readonly place: number;
  readonly at: number;
}

/** Later nothing is learned any more of when a stretch began. */
const newMs = 400;

/**
 * The sound heard lately, to be looked up by time. The speaker reports what its callback really
 * played; what it does not report was silence.
 */
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
   * Copies what was played: `position` is the speaker's count of samples before it, and `heardAt`
   * when its first sample was heard, in milliseconds of the clock that captured blocks go by.
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

  /** While it is still found out when it was heard. */
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
    // The newest last: where a stream was begun anew over an older one, it is what was heard.
    for (const { start, end, audibleEnd, shift, line } of this.#stretches) {
      const begin = Math.max(start, oldest);
      const place = line.positionAt(from) - shift;
      const pace = stepMs / line.step;
      const first = Math.max(0, Math.ceil((begin - place) / pace));
      // Most of what is played is the silence between answers, of which nothing has to be worked out.
      const read = Math.min(end, audibleEnd + this.#reader.reach);
      const last = Math.min(reference.length, Math.ceil((read - place) / pace));
      for (let n = first; n < last; n += 1) {
        reference[n] = this.#reader.at(place + n * pace, begin, end);
      }
    }
  }

  #stretchFor(position: number, heardAt: number): Stretch {
    const last = this.#stretches.at(-1);
    const goesOn = last?.line.fits(position, heardAt) ?? false;
    if (last !== undefined && goesOn) {
      last.line.report(position, heardAt);
      if (position - last.shift === this.#end) return last;
    }
    // Samples that were lost on their way here leave a hole in the record; a gap ends it.
    const line =
      last !== undefined && goesOn
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

/** Places between two samples; the nearest is wrong by 1/512 of a sample at most. */
const phases = 256;
/** It is read where an echo is looked for, which asks for less than who listens does, and it is asked for all the time. */
const crossings = 16;

/** Reads a ring of samples between its samples, without what is above the half rate at `ratio`. */
class SincReader {
  readonly #ring: Float32Array;
  readonly #kernel: SincKernel;

  constructor(ring: Float32Array, ratio: number) {
    this.#ring = ring;
    this.#kernel = new SincKernel(ratio, phases, crossings);
  }

  /** From so many samples on behind a sound nothing of it is read. */
  get reach(): number {
    return this.#kernel.reach + 1;
  }

  /** The value at a place; outside of `from` (in) to `to` (out) there is silence. */
  at(place: number, from: number, to: number): number {
    const near = Math.round(place * phases);
    const whole = Math.floor(near / phases);
    const row = this.#kernel.row(near - whole * phases);
    const ring = this.#ring;
    const start = whole - this.#kernel.reach;
    const last = Math.min(start + row.length, to);
    let sum = 0;
    // The wanted samples lie in one piece, or in two where the ring begins again.
    for (let index = Math.max(start, from); index < last;) {
      const slot = index % ring.length;
      const end = Math.min(last, index + ring.length - slot);
      const shift = slot - index;
      for (; index < end; index += 1) sum += (ring[index + shift] ?? 0) * (row[index - start] ?? 0);
    }
    return sum;
  }
}
