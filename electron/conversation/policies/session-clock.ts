/** The server's word that time is up needs a moment to arrive. */
const graceMs = 5_000;

/**
 * How long the session may still last. The documents count from connecting, deployed gateways from
 * the admission. The safer of the two is believed, the earlier end; a session that outlives it has
 * shown that its server counts from the admission, and one that outlives that too, that nobody
 * counts here.
 */
export class SessionClock {
  readonly #limitMs: number | undefined;
  #connectedAt: number | undefined;
  #admittedAt: number | undefined;
  /** Time that passed while the clock stood still. */
  #sleptMs = 0;

  constructor(limitSeconds: number | undefined) {
    this.#limitMs = limitSeconds === undefined ? undefined : limitSeconds * 1000;
  }

  /** A connection of its own for every try: what another one waited is not counted on this one. */
  connecting(at: number): void {
    this.#connectedAt = at;
    this.#admittedAt = undefined;
  }

  admitted(at: number): void {
    this.#connectedAt ??= at;
    this.#admittedAt ??= at;
  }

  slept(ms: number): void {
    this.#sleptMs += Math.max(0, ms);
  }

  left(now: number): { readonly seconds: number | undefined; readonly reading: LimitReading } {
    const limit = this.#limitMs;
    if (limit === undefined || this.#admittedAt === undefined || this.#connectedAt === undefined)
      return { seconds: undefined, reading: 'connecting' };
    const over = now + this.#sleptMs - limit;
    if (over < this.#connectedAt + graceMs)
      return { seconds: Math.max(0, this.#connectedAt - over) / 1000, reading: 'connecting' };
    if (over < this.#admittedAt + graceMs)
      return { seconds: Math.max(0, this.#admittedAt - over) / 1000, reading: 'admission' };
    return { seconds: undefined, reading: 'none' };
  }

  /** Until the present reading is disproved; nothing where none stands. */
  disprovedInMs(now: number): number | undefined {
    const { seconds, reading } = this.left(now);
    const from = reading === 'connecting' ? this.#connectedAt : this.#admittedAt;
    if (seconds === undefined || from === undefined || this.#limitMs === undefined)
      return undefined;
    return from + this.#limitMs + graceMs - (now + this.#sleptMs);
  }
}

/** From where the server is taken to count. */
export type LimitReading = 'connecting' | 'admission' | 'none';
