import type { Deque } from '../../../shared/deque.ts';

/** A server that sends sample by sample would have each of them cost a hundred: shorter pieces are put together. */
export const shortPiece = 240;
const blockSamples = 2400;

/** A piece of what is played. */
export interface PlayoutRun {
  /** The place of its first sample in all that was written. */
  readonly from: number;
  /** As it came: what whoever listens along is given. */
  samples: Float32Array;
  /** The same as a device gets it, led into where it had to be. */
  sound: Float32Array;
  /** Where short pieces that follow it go. */
  room?: { readonly samples: Float32Array; readonly sound: Float32Array };
  /** Of the answer; without a turn it was put in between. */
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
export function indexAfter(runs: Deque<PlayoutRun>, place: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const run = runs.at(middle);
    if (run !== undefined && run.from + run.samples.length <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** In one piece: a device that is asked between two would find the first only, and run dry. */
export function concatSamples(parts: readonly Float32Array[], length: number): Float32Array {
  const whole = new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Memory for a short piece and for those that follow it. */
function roomFor({ samples, sound }: PlayoutRun): NonNullable<PlayoutRun['room']> {
  const room = { samples: new Float32Array(blockSamples), sound: new Float32Array(blockSamples) };
  room.samples.set(samples);
  room.sound.set(sound);
  return room;
}
