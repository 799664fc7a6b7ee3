import { Listeners } from '../../shared/listeners.ts';
import type { ContextSpent, LatencyKind, OnlyListening } from '../../shared/talk/talk-stats.ts';
import { silentLevelDb } from '../../shared/talk/talk-view.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';

export const graphKinds = ['buffer', 'latency', 'context', 'levels'] as const;
export type GraphKind = (typeof graphKinds)[number];

/** The lines of each graph. */
export const graphLines = {
  buffer: ['buffer', 'target'],
  latency: ['roundTrip', 'serverStep', 'wireToSound', 'micToWire', 'interruptToSilence'],
  context: ['tokens'],
  levels: ['you', 'parley'],
} as const satisfies Readonly<Record<GraphKind, readonly string[]>>;

export type GraphLine = (typeof graphLines)[GraphKind][number];

/** What is seen of the past. */
export const graphWindowMs = 60_000;

/** What the present session has spent of the model's memory, and what is left of it where that is known. */
export interface MemoryUse extends ContextSpent {
  readonly left: number | undefined;
}

/** Everything the graphs draw, past React: levels come forty times a second. */
export class GraphFeed {
  readonly lines: Readonly<Record<GraphLine, TimeSeries>> = Object.fromEntries(
    Object.values(graphLines)
      .flat()
      .map((name) => [name, new TimeSeries(graphWindowMs)]),
  ) as Record<GraphLine, TimeSeries>;
  memory: MemoryUse | undefined;
  unanswered: OnlyListening | undefined;
  readonly #subscribers = new Listeners<undefined>();

  readonly subscribe = (changed: () => void): (() => void) => this.#subscribers.add(changed);

  apply({ name, payload }: BridgeNotice, now: number): void {
    if (name === 'level') this.#heard(this.lines[payload.who], payload.rmsDb, now);
    else if (name === 'talkLimits') {
      if (payload.tokens === undefined) return;
      this.lines.tokens.push(now, payload.tokens);
      if (this.memory !== undefined) this.memory = { ...this.memory, left: payload.tokens };
    } else if (name === 'talkStep') {
      if (payload.buffer !== undefined) {
        this.lines.buffer.push(now, payload.buffer.bufferMs);
        this.lines.target.push(now, payload.buffer.targetMs);
      }
      if (payload.memory !== undefined)
        this.memory = { ...payload.memory, left: this.lines.tokens.last };
      this.unanswered = payload.unanswered;
      for (const kind of graphLines.latency) this.#measured(kind, payload.latest[kind], now);
    } else return;
    this.#subscribers.emit(undefined);
  }

  /** Of silence only its beginning is told. */
  #heard(line: TimeSeries, rmsDb: number, now: number): void {
    const { last } = line;
    if (last !== undefined && last < silentLevelDb) line.push(now, last);
    line.push(now, rmsDb);
  }

  #measured(kind: LatencyKind & GraphLine, ms: number | undefined, now: number): void {
    if (ms !== undefined) this.lines[kind].push(now, ms);
  }
}

/** One value as it was over the last while; old ones are let go. */
export class TimeSeries {
  readonly #points: { readonly at: number; readonly value: number }[] = [];
  readonly #windowMs: number;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  push(at: number, value: number): void {
    this.#points.push({ at, value });
    const oldest = at - this.#windowMs;
    const gone = this.#points.findIndex((point) => point.at >= oldest);
    if (gone > 64) this.#points.splice(0, gone);
  }

  get last(): number | undefined {
    return this.#points.at(-1)?.value;
  }

  /** Oldest first, from one before the window on, so that a line comes in from its edge. */
  since(from: number): readonly { readonly at: number; readonly value: number }[] {
    const first = this.#points.findIndex((point) => point.at >= from);
    return first === -1 ? this.#points.slice(-1) : this.#points.slice(Math.max(0, first - 1));
  }
}
