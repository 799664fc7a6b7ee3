import { Deque } from '../../../shared/collections.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Metrics } from '../../../shared/protocol/realtime-api.ts';
import { median, quantile } from '../../../shared/statistics.ts';
import {
  type LatencyKind,
  latencyKinds,
  type LatencyQuantiles,
  type LatencySummary,
  type MeasuredDelay,
} from '../../../shared/talk/talk-stats.ts';

/** The steps of twelve minutes, at one a second. */
const capacity = 720;

/** Latency quantiles per kind over the latest steps. Adding a value allocates nothing. */
export class LatencyStats {
  readonly #recent = forEachKind(() => new RecentValues(capacity));
  #gaps = 0;
  #gapMs = 0;
  #maxGapMs = 0;
  #drops = 0;
  #droppedSamples = 0;

  add(kind: LatencyKind, ms: number): void {
    // Setting a clock back gives negative values.
    if (Number.isFinite(ms) && ms >= 0) this.#recent[kind].add(ms);
  }

  addMetrics(metrics: Metrics, roundTripMs: number | undefined): void {
    if (roundTripMs !== undefined) this.add('roundTrip', roundTripMs);
    const step = serverStepMs(metrics);
    if (step !== undefined) this.add('serverStep', step);
  }

  /** Adds a silence within an answer, where sound should have been. */
  addGap(ms: number): void {
    if (!(ms > 0)) return;
    this.#gaps += 1;
    this.#gapMs += ms;
    this.#maxGapMs = Math.max(this.#maxGapMs, ms);
  }

  /** Adds microphone samples that were never sent. */
  addDrop(samples: number): void {
    this.#drops += 1;
    this.#droppedSamples += samples;
  }

  summary(): LatencySummary {
    return {
      steps: forEachKind((kind) => this.#quantiles(kind)),
      gaps: { count: this.#gaps, totalMs: this.#gapMs, longestMs: this.#maxGapMs },
      drops: { count: this.#drops, samples: this.#droppedSamples },
    };
  }

  #quantiles(kind: LatencyKind): LatencyQuantiles {
    const { count, latest } = this.#recent[kind];
    return count === 0
      ? { count, median: undefined, p95: undefined }
      : { count, median: median(latest), p95: quantile(latest, 0.95) };
  }
}

class RecentValues {
  readonly #ring: Float64Array;
  #count = 0;

  constructor(capacity: number) {
    this.#ring = new Float64Array(capacity);
  }

  add(value: number): void {
    this.#ring[this.#count % this.#ring.length] = value;
    this.#count += 1;
  }

  /** How many values were ever added. */
  get count(): number {
    return this.#count;
  }

  get latest(): Float64Array {
    return this.#ring.subarray(0, Math.min(this.#count, this.#ring.length));
  }
}

function forEachKind<Value>(
  create: (kind: LatencyKind) => Value,
): Readonly<Record<LatencyKind, Value>> {
  return {
    micToWire: create('micToWire'),
    roundTrip: create('roundTrip'),
    serverStep: create('serverStep'),
    wireToSound: create('wireToSound'),
    interruptToSilence: create('interruptToSilence'),
  };
}

export function serverStepMs({ values }: Metrics): number | undefined {
  return values['wall_clock_ms'];
}

const logIntervalMs = 60_000;

const kindLabels: Readonly<Record<LatencyKind, string>> = {
  micToWire: 'microphone→wire',
  roundTrip: 'round trip',
  serverStep: 'server step',
  wireToSound: 'wire→sound',
  interruptToSilence: 'interrupt→silence',
};

/** One log line, in milliseconds as median/p95; kinds without values are omitted. */
export function latencyLine({ steps, gaps, drops }: LatencySummary): string {
  const shown = latencyKinds.flatMap((kind) => {
    const text = quantilesText(steps[kind]);
    return text === undefined ? [] : [`${kindLabels[kind]} ${text}`];
  });
  const silence =
    gaps.count === 0 ? 'no gaps' : `${gaps.count} gaps, longest ${formatMs(gaps.longestMs)} ms`;
  const lost = drops.count === 0 ? 'no drops' : `${drops.count} drops of ${drops.samples} samples`;
  return [...shown, silence, lost].join('; ');
}

function quantilesText({ count, median, p95 }: LatencyQuantiles): string | undefined {
  if (median === undefined || p95 === undefined) return undefined;
  return `${formatMs(median)}/${formatMs(p95)} ms (${count})`;
}

function formatMs(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

/** Makes a log line at most once a minute. */
export class LatencyLog {
  readonly #clock: Clock;
  readonly #summary: () => LatencySummary;
  #lastAt: number;

  constructor(clock: Clock, summary: () => LatencySummary) {
    this.#clock = clock;
    this.#summary = summary;
    this.#lastAt = clock.now();
  }

  nextLine(): string | undefined {
    const now = this.#clock.now();
    if (now - this.#lastAt < logIntervalMs) return undefined;
    this.#lastAt = now;
    return latencyLine(this.#summary());
  }
}

export interface Delay {
  readonly kind: MeasuredDelay;
  readonly ms: number;
}

/** Measures the delay from the arrival of each piece of sound to its playout. */
export class PlayoutDelays {
  readonly #rate: number;
  readonly #emit: (delay: Delay) => void;
  #pending = new Deque<{ readonly position: number; readonly at: number }>();

  constructor(rate: number, emit: (delay: Delay) => void) {
    this.#rate = rate;
    this.#emit = emit;
  }

  /** @param position of the first sample in the answer */
  onArrival(position: number, at: number): void {
    this.#pending.push({ position, at });
  }

  /** Discards sound that will not be heard. */
  forget(): void {
    this.#pending = new Deque();
  }

  onPlayhead(playhead: number, now: number): void {
    for (let first = this.#pending.at(0); first !== undefined; first = this.#pending.at(0)) {
      const { position, at } = first;
      if (position >= playhead) return;
      const ago = ((playhead - position) * 1000) / this.#rate;
      this.#pending.shift();
      this.#emit({ kind: 'wireToSound', ms: Math.max(0, now - ago - at) });
    }
  }
}
