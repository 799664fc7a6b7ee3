import { partitionPoint } from '../../../shared/partition-point.ts';
import { Deque } from '../../../shared/deque.ts';
import { joinSamples } from '../dsp/samples.ts';

export interface PlayoutCut {
  readonly dropped: number;
  readonly answer: number;
}

/**
 * Holds all sound between writer and device, and counts its progress: written ≥ sent ≥ played ≥ heard. Sound
 * that is held back, waits for a device, or does not fit its ring is written and unsent.
 */
export class PlayoutBuffer {
  readonly #reaches = new Map<number, number>();
  readonly #runs = new Deque<PlayoutRun>();
  #written = 0;
  /** Samples at the end that may not be sent yet. */
  #held = 0;
  #sent = 0;
  #played = 0;
  #heard = 0;
  #playhead = 0;
  #queued = 0;
  #insertedHeard = 0;
  #sounding = false;
  #listener: (samples: Float32Array) => void = () => undefined;

  /** Samples given to a device; they may be lost with it. */
  get sent(): number {
    return this.#sent;
  }

  get played(): number {
    return this.#played;
  }

  get heard(): number {
    return this.#heard;
  }

  /** Released samples that the device has yet to take. */
  get waiting(): number {
    return this.#released - this.#played;
  }

  get held(): number {
    return this.#held;
  }

  get silent(): boolean {
    return this.#heard === this.#written;
  }

  get playhead(): number {
    return this.#playhead;
  }

  get queued(): number {
    return this.#queued;
  }

  get insertedHeard(): number {
    return this.#insertedHeard;
  }

  /** Part of the sound has been heard, and more follows. */
  get sounding(): boolean {
    return this.#sounding;
  }

  reachOf(turn: number): number {
    return this.#reaches.get(turn) ?? 0;
  }

  /** The listener receives the heard samples of the answer; they are valid only during the call. */
  listen(listener: (samples: Float32Array) => void): void {
    this.#listener = listener;
  }

  /** Takes ownership of the samples. `sound` is what the device plays in their place. */
  write(samples: Float32Array, turn: number, sound = samples): void {
    this.#add(samples, sound, turn);
  }

  insert(samples: Float32Array): void {
    this.#add(samples, samples, undefined);
  }

  /** Writes samples that stay unsent until `takeHeld` removes them. */
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

  /** The next unsent sound in one piece of at most `max` samples; undefined if all was sent. */
  unsent(max: number): Float32Array | undefined {
    const until = Math.min(this.#released, this.#sent + max);
    const parts: Float32Array[] = [];
    for (let index = indexAfter(this.#runs, this.#sent); ; index += 1) {
      const run = this.#runs.at(index);
      if (run === undefined || run.from >= until) break;
      parts.push(run.sound.subarray(Math.max(0, this.#sent - run.from), until - run.from));
    }
    const [only, ...more] = parts;
    // Two separate writes would let the device run dry between them.
    return more.length === 0 ? only : joinSamples(parts);
  }

  send(count: number): void {
    this.#sent = Math.min(this.#released, this.#sent + count);
  }

  /** After a device was removed: unplayed samples are sent again, and played ones count as heard. */
  resend(): void {
    this.heardTo(this.#played);
    this.#sent = this.#played;
  }

  /** Ignores a decrease, because those samples will be taken again. */
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
    /** Held and released samples stay in separate runs. */
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

/** Shorter pieces are joined, because each one costs memory and some servers send sample by sample. */
const shortPiece = 240;
const blockSamples = 2400;

export interface PlayoutRun {
  /** Position of its first sample in everything written. */
  readonly from: number;
  /** The original samples, for the listener. */
  samples: Float32Array;
  /** The samples for the device, after stretching and crossfades. */
  sound: Float32Array;
  /** Buffer for the short pieces that follow. */
  room?: { readonly samples: Float32Array; readonly sound: Float32Array };
  /** The answer's turn; undefined for inserted samples. */
  readonly turn: number | undefined;
}

/** Appends a short piece to the previous run if it fits; returns whether it did. */
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

/** Index of the first run that ends after `place`. Runs are contiguous. */
function indexAfter(runs: Deque<PlayoutRun>, place: number): number {
  return partitionPoint(runs.length, (index) => {
    const run = runs.at(index);
    return run !== undefined && run.from + run.samples.length <= place;
  });
}

function roomFor({ samples, sound }: PlayoutRun): NonNullable<PlayoutRun['room']> {
  const room = { samples: new Float32Array(blockSamples), sound: new Float32Array(blockSamples) };
  room.samples.set(samples);
  room.sound.set(sound);
  return room;
}
