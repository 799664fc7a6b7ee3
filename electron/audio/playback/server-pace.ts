/** How evenly a server's sound arrives: how long earlier sound of a turn must last until the next step comes. */
export interface ServerPace {
  /** Step length for which this was learned. With another step length, it does not apply. */
  readonly stepMs: number;
  readonly typicalMs: number;
  /** How much longer the sound must sometimes last, because a step is late. */
  readonly spreadMs: number;
  /** The longest time that the sound had to last in recent turns. */
  readonly maxMs: number;
  /** Number of steps from which this was learned; undefined counts as `maxCountedSteps`. */
  readonly steps?: number | undefined;
}

/** Assumed spread of an unknown server, as a share of the step. */
const priorSpread = 0.16;
/** A step that is later than this share of its length is an exception, for which no answer waits. */
const maxLateness = 0.5;
/** Limit of the time that the sound must last, in steps. */
const maxCoverSteps = 2;
/** The assumption about an unknown server weighs as much as this many measured steps. */
const priorSteps = 3;
const maxCountedSteps = 50;
/**
 * A server may send a step in parts. They arrive within this share of its length, and hold at most this many steps of
 * sound.
 */
const burstShare = 0.1;
const maxBurstSteps = 1.25;
/** Sound that must still wait when the next step arrives, so that the speaker does not run dry. */
const guardMs = 40;

/** Learns a server's pace from each turn: it adapts quickly if sound must last longer, and slowly if it may be shorter. */
export class ServerPaceTracker {
  readonly #stepMs: number;
  #learned: ServerPace;
  #turn: TurnPace | undefined;

  constructor(stepMs: number, learned?: ServerPace) {
    this.#stepMs = stepMs;
    this.#learned = this.#initialPace(learned);
  }

  relearn(learned: ServerPace | undefined): void {
    this.#turn = undefined;
    this.#learned = this.#initialPace(learned);
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
    return maxCoverSteps * this.#stepMs;
  }

  /** Sound that should wait when the next step arrives, within a turn. */
  get marginMs(): number {
    return guardMs + Math.max(this.#learned.spreadMs, this.#turn?.spreadMs ?? 0);
  }

  begin(at: number): void {
    this.end();
    const { typicalMs } = this.#learned;
    const maxNeedMs = Math.max(typicalMs, this.#stepMs) + maxLateness * this.#stepMs;
    this.#turn = new TurnPace(at, maxNeedMs, this.#stepMs);
  }

  addSound(at: number, soundMs: number): void {
    this.#turn?.addSound(at, soundMs);
  }

  end(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn === undefined || turn.steps === 0) return;
    const { stepMs, typicalMs, spreadMs, maxMs, steps = maxCountedSteps } = this.#learned;
    const quickShare = 1 - 0.7 ** turn.steps;
    // With few measured steps the assumption about an unknown server gives way faster.
    const measuredShare = turn.steps / (turn.steps + steps + priorSteps);
    const slowShare = Math.max(1 - 0.93 ** turn.steps, measuredShare);
    this.#learned = {
      stepMs,
      steps: Math.min(maxCountedSteps, steps + turn.steps),
      typicalMs: typicalMs + (turn.typicalMs - typicalMs) * quickShare,
      spreadMs: Math.max(turn.spreadMs, spreadMs + (turn.spreadMs - spreadMs) * slowShare),
      maxMs: Math.max(turn.maxMs, maxMs + (turn.maxMs - maxMs) * slowShare),
    };
  }

  #initialPace(learned: ServerPace | undefined): ServerPace {
    const stepMs = this.#stepMs;
    const prior = { stepMs, typicalMs: stepMs, spreadMs: priorSpread * stepMs, maxMs: 0, steps: 0 };
    return learned?.stepMs === stepMs ? learned : prior;
  }
}

/** Measures at each step of one turn how long the earlier sound had to last (`needMs`). */
class TurnPace {
  readonly #beganAt: number;
  readonly #maxNeedMs: number;
  readonly #stepMs: number;
  #lastAt: number;
  #soundMs = 0;
  #burstMs = 0;
  #needSumMs = 0;
  #minNeedMs = Infinity;
  #maxRiseMs = 0;
  steps = 0;
  maxMs = 0;

  constructor(at: number, maxNeedMs: number, stepMs: number) {
    this.#beganAt = at;
    this.#lastAt = at;
    this.#maxNeedMs = maxNeedMs;
    this.#stepMs = stepMs;
  }

  get typicalMs(): number {
    return this.#needSumMs / this.steps;
  }

  /** Scaled up, because a few steps rarely show the full spread. */
  get spreadMs(): number {
    return this.#maxRiseMs * (this.steps < 6 ? 1.25 : 1.1);
  }

  addSound(at: number, soundMs: number): void {
    const needMs = Math.min(this.#maxNeedMs, Math.max(0, at - this.#beganAt - this.#soundMs));
    this.maxMs = Math.max(this.maxMs, needMs);
    this.#burstMs += soundMs;
    const isApart = at - this.#lastAt > burstShare * this.#stepMs;
    if (isApart || this.#burstMs > maxBurstSteps * this.#stepMs) {
      this.#burstMs = isApart ? soundMs : 0;
      this.steps += 1;
      this.#needSumMs += needMs;
      this.#minNeedMs = Math.min(this.#minNeedMs, needMs);
      this.#maxRiseMs = Math.max(this.#maxRiseMs, needMs - this.#minNeedMs);
    }
    this.#lastAt = at;
    this.#soundMs += soundMs;
  }
}
