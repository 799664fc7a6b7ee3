import { partitionPoint, Deque } from '../../../shared/collections.ts';
import { joinSamples } from '../dsp/samples.ts';

export interface PlayoutCut {
  /** All samples that the device will not play. */
  readonly dropped: number;
  /** The dropped samples that belong to an answer. */
  readonly answer: number;
}

/**
 * Holds all sound between writer and device, and counts its progress: written ≥ sent ≥ played ≥ heard. Sound
 * that is held back, waits for a device, or does not fit its ring is written and unsent.
 */
export class PlayoutBuffer {
  readonly #samplesByTurn = new Map<number, number>();
  readonly #runs = new Deque<PlayoutRun>();
  #written = 0;
  /** Samples at the end that are held back until a turn starts. */
  #heldCount = 0;
  #sent = 0;
  #played = 0;
  #heard = 0;
  #playhead = 0;
  #queued = 0;
  #insertedHeard = 0;
  #isSounding = false;
  #listener: (samples: Float32Array) => void = () => undefined;

  /** Samples written to a device's ring. If the device is lost, `resend` marks those it has not played as unsent. */
  get sent(): number {
    return this.#sent;
  }

  /** Samples that a device has taken from its ring. */
  get played(): number {
    return this.#played;
  }

  get heard(): number {
    return this.#heard;
  }

  /** Released samples that the device has not taken yet. */
  get waiting(): number {
    return this.#released - this.#played;
  }

  get heldCount(): number {
    return this.#heldCount;
  }

  get isSilent(): boolean {
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

  /** True between the first heard sample and the last released one. */
  get isSounding(): boolean {
    return this.#isSounding;
  }

  samplesOf(turn: number): number {
    return this.#samplesByTurn.get(turn) ?? 0;
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

  /** Writes samples that are not sent to the device until the turn starts. */
  holdBack(samples: Float32Array, turn: number): void {
    this.#add(samples, samples, turn, this.#heldCount > 0);
    this.#heldCount += samples.length;
  }

  takeHeldBack(): readonly Float32Array[] {
    const from = this.#released;
    const pieces: Float32Array[] = [];
    for (let index = indexAfter(this.#runs, from); index < this.#runs.length; index += 1)
      pieces.push(this.#runs.at(index)?.samples ?? new Float32Array());
    this.#dropAfter(from);
    return pieces;
  }

  /** Returns the next unsent sound in one piece of at most `max` samples; undefined if all was sent. */
  unsent(max: number): Float32Array | undefined {
    const until = Math.min(this.#released, this.#sent + max);
    const parts: Float32Array[] = [];
    for (let index = indexAfter(this.#runs, this.#sent); ; index += 1) {
      const run = this.#runs.at(index);
      if (run === undefined || run.from >= until) break;
      parts.push(run.sound.subarray(Math.max(0, this.#sent - run.from), until - run.from));
    }
    const [only, ...more] = parts;
    // In one piece, because a device could run dry between two writes.
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

  /** Ignores a decrease: a device that discarded samples takes them again. */
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
    if (this.#heard === this.#released) this.#isSounding = false;
  }

  /** Drops everything that the device has not played. */
  cut(): PlayoutCut {
    const dropped = this.#written - this.#played;
    const before = this.#queued;
    this.#sent = this.#played;
    this.#dropAfter(this.#played);
    if (this.isSilent) this.#isSounding = false;
    return { dropped, answer: before - this.#queued };
  }

  get #released(): number {
    return this.#written - this.#heldCount;
  }

  #add(
    samples: Float32Array,
    sound: Float32Array,
    turn: number | undefined,
    /** False where held samples begin, because they stay in a run apart from released ones. */
    mayJoin = true,
  ): void {
    const { length } = samples;
    if (length === 0) return;
    const piece = { from: this.#written, turn, samples, sound };
    const isShort = length < minPiece && sound.length === length;
    if (!(isShort && mayJoin && appendToRun(this.#runs.at(this.#runs.length - 1), piece)))
      this.#runs.push(piece);
    this.#written += length;
    this.#count(turn, length);
  }

  #onHeard(part: Float32Array, turn: number | undefined): void {
    this.#heard += part.length;
    this.#isSounding = true;
    if (turn === undefined) {
      this.#insertedHeard += part.length;
      return;
    }
    this.#playhead += part.length;
    this.#queued -= part.length;
    this.#listener(part);
  }

  #dropAfter(position: number): void {
    for (;;) {
      const last = this.#runs.at(this.#runs.length - 1);
      if (last === undefined) break;
      const keptCount = Math.max(0, Math.min(last.samples.length, position - last.from));
      if (keptCount === last.samples.length) break;
      this.#count(last.turn, keptCount - last.samples.length);
      this.#runs.truncate(this.#runs.length - 1);
      if (keptCount === 0 || last.from + keptCount <= this.#heard) continue;
      const { from, turn, samples, sound } = last;
      const kept = { samples: samples.subarray(0, keptCount), sound: sound.subarray(0, keptCount) };
      this.#runs.push({ from, turn, ...kept });
      break;
    }
    this.#written = position;
    this.#heldCount = 0;
  }

  #count(turn: number | undefined, samples: number): void {
    if (turn === undefined) return;
    this.#queued += samples;
    this.#samplesByTurn.set(turn, this.samplesOf(turn) + samples);
  }
}

/** In samples (10 ms). Shorter pieces are joined, because each run costs memory and some servers send sample by sample. */
const minPiece = 240;
const maxRunSamples = 2400;

export interface PlayoutRun {
  /** Position of the run's first sample in everything written. */
  readonly from: number;
  /** The original samples, for the listener. */
  samples: Float32Array;
  /** The samples for the device, after stretching and crossfades. */
  sound: Float32Array;
  /** Where the short pieces that follow are appended; `samples` and `sound` are views of it. */
  capacity?: { readonly samples: Float32Array; readonly sound: Float32Array };
  /** The answer's turn; undefined for inserted samples. */
  readonly turn: number | undefined;
}

/** Appends a short piece to the previous run if it fits; returns whether it did. */
export function appendToRun(
  last: PlayoutRun | undefined,
  { from, turn, samples, sound }: PlayoutRun,
): boolean {
  if (last === undefined || last.turn !== turn) return false;
  if (last.capacity === undefined && last.samples.length >= minPiece) return false;
  const { length } = last.samples;
  const end = length + samples.length;
  if (end > maxRunSamples || last.from + length !== from) return false;
  last.capacity ??= allocate(last);
  last.capacity.samples.set(samples, length);
  last.capacity.sound.set(sound, length);
  last.samples = last.capacity.samples.subarray(0, end);
  last.sound = last.capacity.sound.subarray(0, end);
  return true;
}

/** Returns the index of the first run that ends after the position. Runs are contiguous. */
function indexAfter(runs: Deque<PlayoutRun>, position: number): number {
  return partitionPoint(runs.length, (index) => {
    const run = runs.at(index);
    return run !== undefined && run.from + run.samples.length <= position;
  });
}

function allocate({ samples, sound }: PlayoutRun): NonNullable<PlayoutRun['capacity']> {
  const capacity = {
    samples: new Float32Array(maxRunSamples),
    sound: new Float32Array(maxRunSamples),
  };
  capacity.samples.set(samples);
  capacity.sound.set(sound);
  return capacity;
}
