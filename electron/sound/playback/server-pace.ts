/**
 * What was learned of a server's pace. All of it is about how long the first sound of a turn must
 * last until the next comes: the length of that sound is known when it is there.
 */
export interface ServerPace {
  /** It was learned with steps of this length and says nothing about others. */
  readonly stepMs: number;
  /** How long it must last as a rule… */
  readonly typicalMs: number;
  /** …how much later steps come at times… */
  readonly spreadMs: number;
  /** …and the most there lately was. */
  readonly maxMs: number;
}

/** Not yet known: a step may be late by so much of its length. */
const priorSpread = 0.16;
/** Later than that is no pace but a mishap, and not to be waited for. */
const mishap = 0.5;
/** However slow a server is: more steps than these are not waited for. */
const mostSteps = 2;
/** Parts of one step come closer together than this, and are no longer than that together. */
const burst = 0.1;
const burstSound = 1.25;
/** What must be left when the next step comes: less, and the speaker would run dry by a hair. */
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
    return Math.min(needed, mostSteps * this.#stepMs);
  }

  /** What should still be there when a step comes. */
  get marginMs(): number {
    return guardMs + Math.max(this.#learned.spreadMs, this.#turn?.spreadMs ?? 0);
  }

  begin(at: number): void {
    this.end();
    const { typicalMs } = this.#learned;
    const most = Math.max(typicalMs, this.#stepMs) + mishap * this.#stepMs;
    this.#turn = new TurnPace(at, most, this.#stepMs);
  }

  /** More of the turn has come: so many milliseconds of sound. */
  goOn(at: number, soundMs: number): void {
    this.#turn?.goOn(at, soundMs);
  }

  end(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn === undefined || turn.steps === 0) return;
    const { stepMs, typicalMs, spreadMs, maxMs } = this.#learned;
    const quickly = 1 - 0.7 ** turn.steps;
    const slowly = 1 - 0.93 ** turn.steps;
    this.#learned = {
      stepMs,
      typicalMs: typicalMs + (turn.usualMs - typicalMs) * quickly,
      spreadMs: Math.max(turn.spreadMs, spreadMs + (turn.spreadMs - spreadMs) * slowly),
      maxMs: Math.max(turn.mostMs, maxMs + (turn.mostMs - maxMs) * slowly),
    };
  }

  #begin(learned: ServerPace | undefined): ServerPace {
    const stepMs = this.#stepMs;
    const prior = { stepMs, typicalMs: stepMs, spreadMs: priorSpread * stepMs, maxMs: 0 };
    return learned?.stepMs === stepMs ? learned : prior;
  }
}

/** What one turn shows. */
class TurnPace {
  readonly #beganAt: number;
  readonly #mostNeed: number;
  readonly #stepMs: number;
  #lastAt: number;
  /** Of sound that came after the first. */
  #soundMs = 0;
  #burstMs = 0;
  #sum = 0;
  #least = Infinity;
  #rise = 0;
  steps = 0;
  mostMs = 0;

  constructor(at: number, mostNeed: number, stepMs: number) {
    this.#beganAt = at;
    this.#lastAt = at;
    this.#mostNeed = mostNeed;
    this.#stepMs = stepMs;
  }

  get usualMs(): number {
    return this.#sum / this.steps;
  }

  /** A few steps rarely show how far apart steps can be. */
  get spreadMs(): number {
    return this.#rise * (this.steps < 6 ? 1.25 : 1.1);
  }

  goOn(at: number, soundMs: number): void {
    const need = Math.min(this.#mostNeed, Math.max(0, at - this.#beganAt - this.#soundMs));
    this.mostMs = Math.max(this.mostMs, need);
    this.#burstMs += soundMs;
    const apart = at - this.#lastAt > burst * this.#stepMs;
    if (apart || this.#burstMs > burstSound * this.#stepMs) {
      this.#burstMs = apart ? soundMs : 0;
      this.steps += 1;
      this.#sum += need;
      this.#least = Math.min(this.#least, need);
      this.#rise = Math.max(this.#rise, need - this.#least);
    }
    this.#lastAt = at;
    this.#soundMs += soundMs;
  }
}
