/** How long the first sound of a server's turn must last until the next sound arrives. */
export interface ServerPace {
  /** Step length for which this was learned; it does not apply to others. */
  readonly stepMs: number;
  /** Typical time that the sound must last. */
  readonly typicalMs: number;
  /** How much later steps sometimes arrive. */
  readonly spreadMs: number;
  /** The longest recent time. */
  readonly maxMs: number;
  /** Number of steps behind this; undefined counts as enough. */
  readonly steps?: number | undefined;
}

/** Assumed spread of an unknown server, as a share of the step. */
const priorSpread = 0.16;
/** Lateness beyond this share of a step is an incident, and is not waited for. */
const maxLateness = 0.5;
const maxSteps = 2;
const priorSteps = 3;
/** The count of steps stops here. */
const enoughSteps = 50;
/** Parts of one step arrive within this share of its length, and hold at most this much sound. */
const burst = 0.1;
const burstSound = 1.25;
/** Sound that must be left when the next step arrives, so the speaker does not run dry. */
const guardMs = 40;

/** Learns from each turn: quickly that more is needed, slowly that less is enough. */
export class ServerPaceTracker {
  readonly #stepMs: number;
  #learned: ServerPace;
  #turn: TurnPace | undefined;

  constructor(stepMs: number, learned?: ServerPace) {
    this.#stepMs = stepMs;
    this.#learned = this.#begin(learned);
  }

  relearn(learned: ServerPace | undefined): void {
    this.#turn = undefined;
    this.#learned = this.#begin(learned);
  }

  get learned(): ServerPace {
    return this.#learned;
  }

  /** How long the available sound must last, counted from its last arrival. */
  get coverMs(): number {
    const { typicalMs, spreadMs, maxMs } = this.#learned;
    const needed = Math.max(maxMs, typicalMs + spreadMs) + guardMs;
    return Math.min(needed, this.limitMs);
  }

  get limitMs(): number {
    return maxSteps * this.#stepMs;
  }

  get marginMs(): number {
    return guardMs + Math.max(this.#learned.spreadMs, this.#turn?.spreadMs ?? 0);
  }

  begin(at: number): void {
    this.end();
    const { typicalMs } = this.#learned;
    const maxNeed = Math.max(typicalMs, this.#stepMs) + maxLateness * this.#stepMs;
    this.#turn = new TurnPace(at, maxNeed, this.#stepMs);
  }

  addSound(at: number, soundMs: number): void {
    this.#turn?.addSound(at, soundMs);
  }

  end(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn === undefined || turn.steps === 0) return;
    const { stepMs, typicalMs, spreadMs, maxMs, steps = enoughSteps } = this.#learned;
    const quickly = 1 - 0.7 ** turn.steps;
    // Measurements gradually replace the assumption about an unknown server.
    const fresh = turn.steps / (turn.steps + steps + priorSteps);
    const slowly = Math.max(1 - 0.93 ** turn.steps, fresh);
    this.#learned = {
      stepMs,
      steps: Math.min(enoughSteps, steps + turn.steps),
      typicalMs: typicalMs + (turn.typicalMs - typicalMs) * quickly,
      spreadMs: Math.max(turn.spreadMs, spreadMs + (turn.spreadMs - spreadMs) * slowly),
      maxMs: Math.max(turn.maxMs, maxMs + (turn.maxMs - maxMs) * slowly),
    };
  }

  #begin(learned: ServerPace | undefined): ServerPace {
    const stepMs = this.#stepMs;
    const prior = { stepMs, typicalMs: stepMs, spreadMs: priorSpread * stepMs, maxMs: 0, steps: 0 };
    return learned?.stepMs === stepMs ? learned : prior;
  }
}

class TurnPace {
  readonly #beganAt: number;
  readonly #maxNeed: number;
  readonly #stepMs: number;
  #lastAt: number;
  #soundMs = 0;
  #burstMs = 0;
  #sum = 0;
  #minNeed = Infinity;
  #rise = 0;
  steps = 0;
  maxMs = 0;

  constructor(at: number, maxNeed: number, stepMs: number) {
    this.#beganAt = at;
    this.#lastAt = at;
    this.#maxNeed = maxNeed;
    this.#stepMs = stepMs;
  }

  get typicalMs(): number {
    return this.#sum / this.steps;
  }

  /** A few steps rarely show the full spread, so it is scaled up. */
  get spreadMs(): number {
    return this.#rise * (this.steps < 6 ? 1.25 : 1.1);
  }

  addSound(at: number, soundMs: number): void {
    const need = Math.min(this.#maxNeed, Math.max(0, at - this.#beganAt - this.#soundMs));
    this.maxMs = Math.max(this.maxMs, need);
    this.#burstMs += soundMs;
    const apart = at - this.#lastAt > burst * this.#stepMs;
    if (apart || this.#burstMs > burstSound * this.#stepMs) {
      this.#burstMs = apart ? soundMs : 0;
      this.steps += 1;
      this.#sum += need;
      this.#minNeed = Math.min(this.#minNeed, need);
      this.#rise = Math.max(this.#rise, need - this.#minNeed);
    }
    this.#lastAt = at;
    this.#soundMs += soundMs;
  }
}
