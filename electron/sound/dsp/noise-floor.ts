const quietestDb = -65;
/** No room one can talk in is louder. */
const loudestDb = -25;
const firstDb = -55;
const fallShare = 0.2;
/** Rising slowly keeps words out of it… */
const riseDbPerSecond = 6;
/** …and still finds a fan out that was taken for a voice. */
const voicedRiseDbPerSecond = 1;

/** How loud the room is when nobody speaks. */
export class NoiseFloor {
  #db = firstDb;

  get db(): number {
    return this.#db;
  }

  learn(levelDb: number, ms: number, voice: boolean): void {
    const rise = ((voice ? voicedRiseDbPerSecond : riseDbPerSecond) * ms) / 1000;
    const next =
      levelDb < this.#db
        ? this.#db + (levelDb - this.#db) * fallShare
        : Math.min(levelDb, this.#db + rise);
    this.#db = Math.min(loudestDb, Math.max(quietestDb, next));
  }
}
