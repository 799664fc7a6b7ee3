import { voiceHeight } from '../app/store.ts';

/** How long a sound takes from the edge of the window to where the waveform ends. */
const travelMs = 1700;
/** A level stands for the 50 ms before it came, in two halves; painting a bit later always has one on either side. */
const levelMs = 50;
const halfMs = levelMs / 2;
/** It waits for the next of the core's messages and for the screen's beat. */
const behindMs = 2 * levelMs + 30;
/** The newest fades by itself where nothing follows. */
const fadesMs = 3 * levelMs;
/** Where nothing came for so long it was silent, or there was nobody to see it. */
const untoldMs = 450;
const capacity = 96;
/** What is left of a sound half a level later: a syllable falls as fast as it rose, a single gap does not flicker. */
const fading = 0.65;

/** The latest levels of one voice, as a waveform that grows from its edge and thins out on its way. */
export class LevelHistory {
  readonly #levels = new Float64Array(capacity);
  readonly #times = new Float64Array(capacity).fill(Number.NEGATIVE_INFINITY);
  #count = 0;
  #loudAt = Number.NEGATIVE_INFINITY;
  /** What was looked for last, and how far back it was found: a picture goes back in time from one side to the other. */
  readonly #sought = { time: Number.NEGATIVE_INFINITY, back: 1 };

  push(rmsDb: number, at: number, halvesDb?: readonly [number, number]): void {
    this.#sought.time = Number.NEGATIVE_INFINITY;
    const latest = (this.#count - 1) % capacity;
    if (this.#count > 0 && at - (this.#times[latest] ?? at) > untoldMs) {
      this.#add(0, (this.#times[latest] ?? at) + fadesMs);
      this.#add(0, at - levelMs);
    }
    this.#follow(halvesDb?.[0] ?? rmsDb, at);
    this.#follow(halvesDb?.[1] ?? rmsDb, at);
  }

  #follow(halfDb: number, at: number): void {
    const before = this.#count === 0 ? 0 : (this.#levels[(this.#count - 1) % capacity] ?? 0);
    const level = Math.max(voiceHeight(halfDb), before * fading);
    this.#add(level, at);
    this.#spread();
    if (level > 0.01) this.#loudAt = at;
  }

  #add(level: number, at: number): void {
    this.#levels[this.#count % capacity] = level;
    this.#times[this.#count % capacity] = at;
    this.#count += 1;
  }

  /** Two halves come at once, on a busy machine several levels: those before the newest are of the time before it. */
  #spread(): void {
    for (let back = 2; back <= Math.min(this.#count, capacity); back += 1) {
      const latest = (this.#times[(this.#count - back + 1) % capacity] ?? 0) - halfMs;
      const at = (this.#count - back) % capacity;
      if ((this.#times[at] ?? 0) <= latest) return;
      this.#times[at] = latest;
    }
  }

  /** From 0 to 1; `distance` from 0 at the edge to 1 where the waveform ends. */
  thickness(distance: number, now: number): number {
    const level = this.#levelAt(now - behindMs - distance * travelMs);
    return level * Math.sqrt(1 - distance) * (1 - 0.35 * distance);
  }

  /** Nothing of it is in sight any more. */
  gone(now: number): boolean {
    return now - behindMs - travelMs > this.#loudAt + 100;
  }

  #levelAt(time: number): number {
    const sought = this.#sought;
    let back = time > sought.time ? 1 : sought.back;
    sought.time = time;
    for (; back <= Math.min(this.#count, capacity); back += 1) {
      const at = (this.#count - back) % capacity;
      const before = this.#times[at] ?? 0;
      if (before > time) continue;
      sought.back = back;
      const next = back === 1 ? undefined : (at + 1) % capacity;
      const from = this.#levels[at] ?? 0;
      if (next === undefined) return from * Math.max(0, 1 - (time - before) / fadesMs);
      const share = (time - before) / Math.max(1, (this.#times[next] ?? 0) - before);
      const eased = share * share * (3 - 2 * share);
      return from + ((this.#levels[next] ?? 0) - from) * eased;
    }
    sought.back = back;
    return 0;
  }
}
