import { SincReader } from '../dsp/sinc-reader.ts';
import { playedClock, SmoothedClock } from './smoothed-clock.ts';

/** The rates on both sides, and how long what was played is remembered. */
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
 * What was heard lately, to be looked up by time. The speaker reports what its callback really
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
    this.#write(block);
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

  #write(block: Float32Array): void {
    const { length } = this.#ring;
    const newest = block.length > length ? block.subarray(block.length - length) : block;
    this.#end += block.length;
    const at = (this.#end - newest.length) % length;
    const first = Math.min(newest.length, length - at);
    this.#ring.set(newest.subarray(0, first), at);
    this.#ring.set(newest.subarray(first), 0);
  }
}

function silentTail(block: Float32Array): number {
  let silent = 0;
  while (silent < block.length && block[block.length - 1 - silent] === 0) silent += 1;
  return silent;
}
