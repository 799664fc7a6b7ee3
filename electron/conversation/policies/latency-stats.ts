import type { Metrics } from '../../../shared/protocol/server-event.ts';
import type {
  LatencyQuantiles,
  LatencyKind,
  LatencySummary,
} from '../../../shared/talk/talk-latency.ts';
import { median, quantile } from './quantiles.ts';
import { RecentValues } from './recent-values.ts';

/** Ten minutes of steps and some. */
const capacity = 720;

/** Latency stats of a conversation: quantiles per kind, gaps and drops, over the latest few hundred steps; nothing is allocated per value. */
export class LatencyStats {
  readonly #recent: Readonly<Record<LatencyKind, RecentValues>> = {
    micToWire: new RecentValues(capacity),
    roundTrip: new RecentValues(capacity),
    serverStep: new RecentValues(capacity),
    wireToSound: new RecentValues(capacity),
    interruptToSilence: new RecentValues(capacity),
  };
  #gaps = 0;
  #gapMs = 0;
  #maxGapMs = 0;
  #drops = 0;
  #droppedSamples = 0;

  add(kind: LatencyKind, ms: number): void {
    // A clock that was set back in between has measured nothing.
    if (Number.isFinite(ms) && ms >= 0) this.#recent[kind].add(ms);
  }

  /** What the session emits as `metrics`. */
  addMetrics(metrics: Metrics, roundTripMs: number | undefined): void {
    if (roundTripMs !== undefined) this.add('roundTrip', roundTripMs);
    const step = serverStepMs(metrics);
    if (step !== undefined) this.add('serverStep', step);
  }

  /** Silence within an answer that should have been sound. */
  addGap(ms: number): void {
    if (!(ms > 0)) return;
    this.#gaps += 1;
    this.#gapMs += ms;
    this.#maxGapMs = Math.max(this.#maxGapMs, ms);
  }

  /** Microphone samples that were never sent. */
  addDrop(samples: number): void {
    this.#drops += 1;
    this.#droppedSamples += samples;
  }

  summary(): LatencySummary {
    return {
      steps: {
        micToWire: this.#quantiles('micToWire'),
        roundTrip: this.#quantiles('roundTrip'),
        serverStep: this.#quantiles('serverStep'),
        wireToSound: this.#quantiles('wireToSound'),
        interruptToSilence: this.#quantiles('interruptToSilence'),
      },
      gaps: { count: this.#gaps, totalMs: this.#gapMs, longestMs: this.#maxGapMs },
      drops: { count: this.#drops, samples: this.#droppedSamples },
    };
  }

  #quantiles(kind: LatencyKind): LatencyQuantiles {
    const sorted = this.#recent[kind].sorted();
    return {
      count: this.#recent[kind].count,
      median: median(sorted),
      p95: quantile(sorted, 0.95),
    };
  }
}

/** What the server says its step took, in milliseconds. */
export function serverStepMs({ figures }: Metrics): number | undefined {
  return figures['wall_clock_ms'];
}
