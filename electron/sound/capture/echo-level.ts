import { RecentPeak } from '../dsp/recent-peak.ts';

/** From the playhead to the microphone's block, and as long as a room rings. */
const lastsMs = 300;
/** Softer sound says nothing about its echo. */
const audibleDb = -45;
/** How much softer than what was played the echo is taken to be before it was heard. */
const firstLossDb = -40;
const maxDb = 6;
/** An answer's beginning is rarely spoken into: there the echo is learned at once… */
const beginningMs = 400;
/** …and later so slowly that a voice is not taken for it. */
const slowDbPerSecond = 3;
const fallDbPerSecond = 6;
const silentDb = -100;
/** A pause that long, and it is another answer. */
const pauseMs = 1000;

/** How loud the loudspeaker can be in the microphone, learned from how loud it is there. */
export class EchoLevel {
  readonly #played = new RecentPeak(lastsMs);
  readonly #captured = new RecentPeak(lastsMs);
  #lossDb = firstLossDb;
  #soundedMs = 0;
  #silentMs = 0;

  played(levelDb: number, atMs: number): void {
    if (levelDb >= audibleDb) this.#played.push(levelDb, atMs);
  }

  sounds(atMs: number): boolean {
    return this.#played.at(atMs) !== undefined;
  }

  /**
   * What of a captured level the loudspeaker explains, as far as is known; learns from it, unless it is somebody's. What a canceller leaves
   * is known from the answers before, and is not learned at once: a person may speak over an answer's beginning.
   */
  explains(
    levelDb: number,
    atMs: number,
    ms: number,
    { somebody = false, cancelled = false }: { somebody?: boolean; cancelled?: boolean } = {},
  ): number {
    // The echo comes late and rings on, so that only the loudest of both can be compared.
    if (!somebody) this.#captured.push(levelDb, atMs);
    const played = this.#played.at(atMs);
    if (played === undefined) {
      this.#silentMs += ms;
      if (this.#silentMs >= pauseMs) this.#soundedMs = 0;
      return silentDb;
    }
    this.#silentMs = 0;
    this.#soundedMs += ms;
    if (somebody) return played + this.#lossDb;
    const loss = (this.#captured.at(atMs) ?? levelDb) - played;
    const atOnce = this.#soundedMs <= beginningMs && !cancelled;
    const rise = atOnce ? Infinity : (slowDbPerSecond * ms) / 1000;
    const fall = (fallDbPerSecond * ms) / 1000;
    this.#lossDb = Math.max(this.#lossDb - fall, Math.min(loss, this.#lossDb + rise, maxDb));
    return played + this.#lossDb;
  }
}
