import type { TapeEvent } from '../../../shared/replay/tape-event.ts';

/** A stretch of a turn that sounded without a pause. */
interface HeardRun {
  readonly at: number;
  /** Samples of the turn that had been heard before. */
  readonly from: number;
  to: number;
}

const perMs = 24;
/** A playhead is looked at now and then; what it is off by less than this is no pause in the sound. */
const toleranceSamples = 80 * perMs;

/** When which part of each turn was heard, as the tape has it. */
export class HeardTrack {
  readonly #turns = new Map<number, HeardRun[]>();

  constructor(events: readonly { readonly at: number; readonly event: TapeEvent | undefined }[]) {
    for (const { at, event } of events)
      if (event?.kind === 'heard') this.#add(event.turn, at, event.samples);
  }

  get empty(): boolean {
    return this.#turns.size === 0;
  }

  /** Samples of the turn that had been heard by then. */
  heardOf(turn: number, at: number): number {
    const run = this.#runAt(this.#turns.get(turn) ?? [], at);
    return run === undefined ? 0 : Math.min(run.to, run.from + Math.round((at - run.at) * perMs));
  }

  /** Samples of the turn that were heard at all. */
  reachOf(turn: number): number {
    return this.#turns.get(turn)?.at(-1)?.to ?? 0;
  }

  #runAt(runs: readonly HeardRun[], at: number): HeardRun | undefined {
    let low = 0;
    let high = runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((runs[middle]?.at ?? Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return runs[low - 1];
  }

  #add(turn: number, at: number, samples: number): void {
    const runs = this.#turns.get(turn) ?? [];
    this.#turns.set(turn, runs);
    const last = runs.at(-1);
    const from = last?.to ?? 0;
    if (samples <= from) return;
    const expected = last === undefined ? NaN : last.from + (at - last.at) * perMs;
    if (last !== undefined && Math.abs(expected - samples) < toleranceSamples) last.to = samples;
    else runs.push({ at: at - (samples - from) / perMs, from, to: samples });
  }
}
