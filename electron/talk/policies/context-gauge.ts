import { contextTokens } from '../../../shared/protocol/realtime-api.ts';
import { median } from '../../../shared/statistics.ts';

/** If no metrics have come for this long, no step has run, so the context does not fill. */
const staleMs = 5_000;

/** Remaining context, in tokens and in seconds at the present rate. */
export interface ContextHeadroom {
  readonly tokens: number | undefined;
  readonly tokenSeconds: number | undefined;
  readonly pruning: boolean;
}

/** Estimates when a session's context will be full, from the tokens that the server reports. */
export class ContextGauge {
  readonly #size: number;
  readonly #slope = new RobustSlope();
  /** Documented tokens per second, used until metrics give a rate. */
  readonly #documentedRate: number;
  #used: { readonly at: number; readonly tokens: number } | undefined;
  #maxTokens = 0;
  /** Consecutive steps below the maximum. One may be an error of the server; two show that it prunes. */
  #stepsBelowMax = 0;
  #stepBelowMaxAt = -Infinity;
  #pruning = false;

  constructor(size: number, usualSeconds: number) {
    this.#size = size;
    this.#documentedRate = contextTokens / usualSeconds;
  }

  /** @param includesPruned whether the tokens include those that the server has pruned */
  onUsage(at: number, tokens: number, includesPruned = false): void {
    // Servers report 0 before the first input, or if they do not count.
    if (!(tokens > 0) || !Number.isFinite(tokens)) return;
    // A count that includes pruned tokens never shrinks. If it exceeds the context's size, the server has pruned.
    if (includesPruned && tokens > this.#size) this.#pruning = true;
    if (tokens >= this.#maxTokens) {
      this.#stepsBelowMax = 0;
      this.#maxTokens = tokens;
    } else {
      if (at - this.#stepBelowMaxAt >= mergeWithinMs) {
        this.#stepsBelowMax += 1;
        this.#stepBelowMaxAt = at;
      }
      if (this.#stepsBelowMax < 2 && !this.#pruning) return;
      this.#pruning = true;
    }
    this.#used = { at, tokens };
    if (this.#pruning) this.#slope.forget();
    else this.#slope.add(at, tokens);
  }

  headroom(now: number): ContextHeadroom {
    if (this.#used === undefined)
      return { tokens: undefined, tokenSeconds: undefined, pruning: this.#pruning };
    const tokens = Math.max(0, this.#size - this.#used.tokens);
    const rate = this.#slope.perSecond() ?? (this.#pruning ? undefined : this.#documentedRate);
    if (rate === undefined || rate <= 0)
      return { tokens, tokenSeconds: undefined, pruning: this.#pruning };
    const since = Math.min(Math.max(0, now - this.#used.at), staleMs) / 1000;
    return { tokens, tokenSeconds: Math.max(0, tokens / rate - since), pruning: false };
  }

  /** How long `headroom` keeps counting down before it waits for the next metrics. */
  countsForMs(now: number): number {
    return this.#used === undefined ? 0 : Math.max(0, this.#used.at + staleMs - now);
  }
}

interface Point {
  readonly at: number;
  readonly value: number;
}

const maxPoints = 20;
const minPoints = 4;
/** Values closer in time belong to one step of the model and count as one point. */
const mergeWithinMs = 250;
/** A shorter span gives no reliable rate. */
const minSpanMs = 3_000;

/** Growth rate of a value: the median slope over all pairs of recent points. */
class RobustSlope {
  #points: readonly Point[] = [];
  /** Cached, because reads are more frequent than points. */
  #perSecond: number | undefined;

  add(at: number, value: number): void {
    const last = this.#points.at(-1);
    const before =
      last !== undefined && at - last.at < mergeWithinMs ? this.#points.slice(0, -1) : this.#points;
    // A merged point keeps its first time; otherwise a steady stream of values would move it forever.
    const moment = before === this.#points || last === undefined ? at : last.at;
    this.#points = [...before, { at: moment, value }].slice(-maxPoints);
    this.#perSecond = medianSlope(this.#points);
  }

  forget(): void {
    this.#points = [];
    this.#perSecond = undefined;
  }

  /** Per second; undefined with too few points. */
  perSecond(): number | undefined {
    return this.#perSecond;
  }
}

function medianSlope(points: readonly Point[]): number | undefined {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (points.length < minPoints || last.at - first.at < minSpanMs) return undefined;
  const slopes: number[] = [];
  for (const [index, later] of points.entries())
    for (const earlier of points.slice(0, index))
      slopes.push(((later.value - earlier.value) / (later.at - earlier.at)) * 1000);
  return median(slopes);
}
