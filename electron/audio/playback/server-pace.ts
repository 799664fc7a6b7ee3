/**
 * A server's pace, as learned so far. All of it is about how long the first sound of a turn must
 * last until the next comes: the length of that sound is known when it is there.
 */
export interface ServerPace {
  /** It was learned with steps of this length and says nothing about others. */
  readonly stepMs: number;
  /** How long it must last as a rule… */
  readonly typicalMs: number;
  /** …how much later steps come at times… */
  readonly spreadMs: number;
  /** …and the longest there lately was. */
  readonly maxMs: number;
  /** How many steps taught it; where nothing says so, enough. */
  readonly steps?: number | undefined;
}

/** Not yet known: a step may be late by so much of its length. */
const priorSpread = 0.16;
/** Later than that is no pace but a mishap, and not to be waited for. */
const mishap = 0.5;
/** However slow a server is: more steps than these are not waited for. */
const maxSteps = 2;
/** The assumption about an unknown server weighs as much as this many steps. */
const priorSteps = 3;
/** More than these teach nothing that is worth counting. */
const enoughSteps = 50;
/** Parts of one step come closer together than this, and are no longer than that together. */
const burst = 0.1;
const burstSound = 1.25;
/** The sound that must be left when the next step comes: with less the speaker would run dry by a hair. */
const guardMs = 40;

/** Learns from each turn: at once that more is needed, little by little that less is. */
export class ServerPaceTracker {
  readonly #stepMs: number;
  #learned: ServerPace;
  #turn: TurnPace | undefined;

  constructor(stepMs: number, learned?: ServerPace) {
    this.#stepMs = stepMs;
    this.#learned = this.#begin(learned);
  }

  /** Another server answers from now on. */
  relearn(learned: ServerPace | undefined): void {
    this.#turn = undefined;
    this.#learned = this.#begin(learned);
  }

  get learned(): ServerPace {
    return this.#learned;
  }

  /** How long the sound that has come must last, from its last arrival on. */
  get coverMs(): number {
    const { typicalMs, spreadMs, maxMs } = this.#learned;
    const needed = Math.max(maxMs, typicalMs + spreadMs) + guardMs;
    return Math.min(needed, this.limitMs);
  }

  /** More than this is waited for by nobody. */
  get limitMs(): number {
    return maxSteps * this.#stepMs;
  }

  /** The sound that should still be there when a step comes. */
  get marginMs(): number {
    return guardMs + Math.max(this.#learned.spreadMs, this.#turn?.spreadMs ?? 0);
  }

  begin(at: number): void {
    this.end();
    const { typicalMs } = this.#learned;
    const maxNeed = Math.max(typicalMs, this.#stepMs) + mishap * this.#stepMs;
    this.#turn = new TurnPace(at, maxNeed, this.#stepMs);
  }

  /** More of the turn has come: so many milliseconds of sound. */
  addSound(at: number, soundMs: number): void {
    this.#turn?.addSound(at, soundMs);
  }

  end(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn === undefined || turn.steps === 0) return;
    const { stepMs, typicalMs, spreadMs, maxMs, steps = enoughSteps } = this.#learned;
    const quickly = 1 - 0.7 ** turn.steps;
    // The assumption about an unknown server gives way to what is seen of it.
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

/** The pace of one turn. */
class TurnPace {
  readonly #beganAt: number;
  readonly #maxNeed: number;
  readonly #stepMs: number;
  #lastAt: number;
  /** The length of the sound that came after the first. */
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

  /** A few steps rarely show how far apart steps can be. */
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
