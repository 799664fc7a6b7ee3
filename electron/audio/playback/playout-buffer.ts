import { partitionPoint } from '../../../shared/partition-point.ts';
import { Deque } from '../../../shared/deque.ts';
import { joinSamples } from '../dsp/samples.ts';

export interface PlayoutCut {
  readonly dropped: number;
  /** Those of the dropped samples that were the answer's. */
  readonly answer: number;
}

/**
 * All sound between those who write it and those who hear it, and the only account of how far it has
 * come: written ≥ sent ≥ played ≥ heard. What is held back, what waits for a device, and what its ring
 * has no room for is one and the same: written and not sent.
 */
export class PlayoutBuffer {
  readonly #reaches = new Map<number, number>();
  /** The sound that has not been heard, in order. */
  readonly #runs = new Deque<PlayoutRun>();
  #written = 0;
  /** At the end of what was written: not to be sent yet. */
  #held = 0;
  #sent = 0;
  #played = 0;
  #heard = 0;
  #playhead = 0;
  #queued = 0;
  #insertedHeard = 0;
  #sounding = false;
  #listener: (samples: Float32Array) => void = () => undefined;

  /** Samples given to a device, which may die with them. */
  get sent(): number {
    return this.#sent;
  }

  /** Samples that a device has taken out of its ring. */
  get played(): number {
    return this.#played;
  }

  /** Samples that have left a device. */
  get heard(): number {
    return this.#heard;
  }

  /** Samples that nobody holds back and no device has taken. */
  get waiting(): number {
    return this.#released - this.#played;
  }

  get held(): number {
    return this.#held;
  }

  /** Everything has been heard. */
  get silent(): boolean {
    return this.#heard === this.#written;
  }

  /** Samples of the answer that were heard. */
  get playhead(): number {
    return this.#playhead;
  }

  /** Samples of the answer that were not heard yet. */
  get queued(): number {
    return this.#queued;
  }

  /** Heard samples that were put in between. */
  get insertedHeard(): number {
    return this.#insertedHeard;
  }

  /** It has begun to be heard, and there is more of it. */
  get sounding(): boolean {
    return this.#sounding;
  }

  /** Samples of the turn that were heard or will be. */
  reachOf(turn: number): number {
    return this.#reaches.get(turn) ?? 0;
  }

  /** The listener is given what was heard of the answer, good until the call returns. */
  listen(listener: (samples: Float32Array) => void): void {
    this.#listener = listener;
  }

  /** Takes the samples over as they are; `sound` is what a device gets in their place. */
  write(samples: Float32Array, turn: number, sound = samples): void {
    this.#add(samples, sound, turn);
  }

  insert(samples: Float32Array): void {
    this.#add(samples, samples, undefined);
  }

  /** Writes what must not be sent before it was taken back and written again. */
  hold(samples: Float32Array, turn: number): void {
    this.#add(samples, samples, turn, this.#held > 0);
    this.#held += samples.length;
  }

  takeHeld(): readonly Float32Array[] {
    const from = this.#released;
    const held: Float32Array[] = [];
    for (let index = indexAfter(this.#runs, from); index < this.#runs.length; index += 1)
      held.push(this.#runs.at(index)?.samples ?? new Float32Array());
    this.#drop(from);
    return held;
  }

  /** The next sound to send in one piece, at most so many samples; undefined where all was sent. */
  unsent(max: number): Float32Array | undefined {
    const until = Math.min(this.#released, this.#sent + max);
    const parts: Float32Array[] = [];
    for (let index = indexAfter(this.#runs, this.#sent); ; index += 1) {
      const run = this.#runs.at(index);
      if (run === undefined || run.from >= until) break;
      parts.push(run.sound.subarray(Math.max(0, this.#sent - run.from), until - run.from));
    }
    const [only, ...more] = parts;
    // A device that is asked between two pieces would find the first only, and run dry.
    return more.length === 0 ? only : joinSamples(parts);
  }

  send(count: number): void {
    this.#sent = Math.min(this.#released, this.#sent + count);
  }

  /** The device is gone: what it has not taken has to be sent again, and what it had counts as heard. */
  resend(): void {
    this.heardTo(this.#played);
    this.#sent = this.#played;
  }

  /** The count of samples that devices have taken so far; what a device takes back, it will take again. */
  playedTo(count: number): void {
    this.#played = Math.max(this.#played, Math.min(count, this.#sent));
  }

  heardTo(count: number): void {
    const until = Math.min(count, this.#played);
    for (;;) {
      const run = this.#runs.at(0);
      if (run === undefined || this.#heard >= until) break;
      const at = this.#heard - run.from;
      const part = run.samples.subarray(at, until - run.from);
      if (at + part.length === run.samples.length) this.#runs.shift();
      this.#onHeard(part, run.turn);
    }
    if (this.#heard === this.#released) this.#sounding = false;
  }

  /** Throws away what no device has taken. */
  cut(): PlayoutCut {
    const dropped = this.#written - this.#played;
    const before = this.#queued;
    this.#sent = this.#played;
    this.#drop(this.#played);
    if (this.silent) this.#sounding = false;
    return { dropped, answer: before - this.#queued };
  }

  get #released(): number {
    return this.#written - this.#held;
  }

  #add(
    samples: Float32Array,
    sound: Float32Array,
    turn: number | undefined,
    /** Held and released samples are never joined into one run. */
    joins = true,
  ): void {
    const { length } = samples;
    if (length === 0) return;
    const piece = { from: this.#written, turn, samples, sound };
    const short = length < shortPiece && sound.length === length;
    if (!(short && joins && appendToRun(this.#runs.at(this.#runs.length - 1), piece)))
      this.#runs.push(piece);
    this.#written += length;
    this.#count(turn, length);
  }

  #onHeard(part: Float32Array, turn: number | undefined): void {
    this.#heard += part.length;
    this.#sounding = true;
    if (turn === undefined) {
      this.#insertedHeard += part.length;
      return;
    }
    this.#playhead += part.length;
    this.#queued -= part.length;
    this.#listener(part);
  }

  /** Forgets everything from this place on. */
  #drop(place: number): void {
    for (;;) {
      const last = this.#runs.at(this.#runs.length - 1);
      if (last === undefined) break;
      const stays = Math.max(0, Math.min(last.samples.length, place - last.from));
      if (stays === last.samples.length) break;
      this.#count(last.turn, stays - last.samples.length);
      this.#runs.truncate(this.#runs.length - 1);
      if (stays === 0 || last.from + stays <= this.#heard) continue;
      const { from, turn, samples, sound } = last;
      const kept = { samples: samples.subarray(0, stays), sound: sound.subarray(0, stays) };
      this.#runs.push({ from, turn, ...kept });
      break;
    }
    this.#written = place;
    this.#held = 0;
  }

  #count(turn: number | undefined, samples: number): void {
    if (turn === undefined) return;
    this.#queued += samples;
    this.#reaches.set(turn, this.reachOf(turn) + samples);
  }
}

/** A server that sends sample by sample would have each of them cost a hundred: shorter pieces are put together. */
const shortPiece = 240;
const blockSamples = 2400;

export interface PlayoutRun {
  /** The place of its first sample in all that was written. */
  readonly from: number;
  /** As it came: what whoever listens along is given. */
  samples: Float32Array;
  /** The same as a device gets it, led into where it had to be. */
  sound: Float32Array;
  /** Where short pieces that follow it go. */
  room?: { readonly samples: Float32Array; readonly sound: Float32Array };
  /** The turn of the answer; without one it was put in between. */
  readonly turn: number | undefined;
}

/** Puts a short piece to the end of the one before it, where that has room; says whether it has. */
export function appendToRun(
  last: PlayoutRun | undefined,
  { from, turn, samples, sound }: PlayoutRun,
): boolean {
  if (last === undefined || last.turn !== turn) return false;
  if (last.room === undefined && last.samples.length >= shortPiece) return false;
  const { length } = last.samples;
  const end = length + samples.length;
  if (end > blockSamples || last.from + length !== from) return false;
  last.room ??= roomFor(last);
  last.room.samples.set(samples, length);
  last.room.sound.set(sound, length);
  last.samples = last.room.samples.subarray(0, end);
  last.sound = last.room.sound.subarray(0, end);
  return true;
}

/** The first that ends after a place; they follow each other without a gap. */
function indexAfter(runs: Deque<PlayoutRun>, place: number): number {
  return partitionPoint(runs.length, (index) => {
    const run = runs.at(index);
    return run !== undefined && run.from + run.samples.length <= place;
  });
}

/** Memory for a short piece and for those that follow it. */
function roomFor({ samples, sound }: PlayoutRun): NonNullable<PlayoutRun['room']> {
  const room = { samples: new Float32Array(blockSamples), sound: new Float32Array(blockSamples) };
  room.samples.set(samples);
  room.sound.set(sound);
  return room;
}
