import { Listeners } from '../../shared/listeners.ts';
import type { ContextSpent, LatencyKind, OnlyListening } from '../../shared/talk/talk-stats.ts';
import { silentLevelDb } from '../../shared/talk/talk-view.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';

export const graphKinds = ['buffer', 'latency', 'context', 'levels'] as const;
export type GraphKind = (typeof graphKinds)[number];

export const graphLines = {
  buffer: ['buffer', 'target'],
  latency: ['roundTrip', 'serverStep', 'wireToSound', 'micToWire', 'interruptToSilence'],
  context: ['tokens'],
  levels: ['you', 'parley'],
} as const satisfies Readonly<Record<GraphKind, readonly string[]>>;

export type GraphLine = (typeof graphLines)[GraphKind][number];

export const graphWindowMs = 60_000;

/** The context tokens spent by this session, and those left, if known. */
export interface MemoryUse extends ContextSpent {
  readonly left: number | undefined;
}

/** The data of all graphs. It bypasses React, because levels arrive forty times a second. */
export class GraphFeed {
  readonly lines: Readonly<Record<GraphLine, TimeSeries>> = Object.fromEntries(
    Object.values(graphLines)
      .flat()
      .map((name) => [name, new TimeSeries(graphWindowMs)]),
  ) as Record<GraphLine, TimeSeries>;
  memory: MemoryUse | undefined;
  unanswered: OnlyListening | undefined;
  readonly #subscribers = new Listeners<undefined>();

  readonly subscribe = (listener: () => void): (() => void) => this.#subscribers.add(listener);

  apply({ name, payload }: BridgeNotice, now: number): void {
    if (name === 'level') this.#pushLevel(this.lines[payload.who], payload.rmsDb, now);
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
      for (const kind of graphLines.latency) this.#pushLatency(kind, payload.latest[kind], now);
    } else return;
    this.#subscribers.emit(undefined);
  }

  /** The core reports silence only when it starts, so the level is held until the next report. */
  #pushLevel(line: TimeSeries, rmsDb: number, now: number): void {
    const { last } = line;
    if (last !== undefined && last < silentLevelDb) line.push(now, last);
    line.push(now, rmsDb);
  }

  #pushLatency(kind: LatencyKind & GraphLine, ms: number | undefined, now: number): void {
    if (ms !== undefined) this.lines[kind].push(now, ms);
  }
}

/** A value over time. Points older than the window are dropped in batches. */
export class TimeSeries {
  readonly #points: { readonly at: number; readonly value: number }[] = [];
  readonly #windowMs: number;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  push(at: number, value: number): void {
    this.#points.push({ at, value });
    const oldest = at - this.#windowMs;
    const expired = this.#points.findIndex((point) => point.at >= oldest);
    if (expired > 64) this.#points.splice(0, expired);
  }

  get last(): number | undefined {
    return this.#points.at(-1)?.value;
  }

  /** Oldest first, starting one point before the window, so that a line enters from the edge. */
  since(from: number): readonly { readonly at: number; readonly value: number }[] {
    const first = this.#points.findIndex((point) => point.at >= from);
    return first === -1 ? this.#points.slice(-1) : this.#points.slice(Math.max(0, first - 1));
  }
}
