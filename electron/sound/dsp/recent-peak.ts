/** The loudest of the newest levels; an older one counts for as long as it lasts. */
export class RecentPeak {
  readonly #lastsMs: number;
  #db = -Infinity;
  #at = -Infinity;

  constructor(lastsMs: number) {
    this.#lastsMs = lastsMs;
  }

  push(db: number, atMs: number): void {
    if (db < this.#db && this.#lasts(atMs)) return;
    this.#db = db;
    this.#at = atMs;
  }

  at(atMs: number): number | undefined {
    return this.#lasts(atMs) ? this.#db : undefined;
  }

  /** A clock that went back makes nothing last for ever. */
  #lasts(atMs: number): boolean {
    return Math.abs(atMs - this.#at) < this.#lastsMs;
  }
}
