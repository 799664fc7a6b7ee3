import type { Metrics } from '../../../shared/protocol/server-event.ts';
import type {
  LatencyQuantiles,
  LatencyKind,
  LatencySummary,
} from '../../../shared/talk/talk-latency.ts';
import { median, quantile } from './quantiles.ts';
import { RecentValues } from './recent-values.ts';

/** Ten minutes of steps and some. */
const kept = 720;

/** How fast a conversation goes, over the latest few hundred steps; nothing is allocated per figure. */
export class LatencyStats {
  readonly #recent: Readonly<Record<LatencyKind, RecentValues>> = {
    micToWire: new RecentValues(kept),
    roundTrip: new RecentValues(kept),
    serverStep: new RecentValues(kept),
    wireToSound: new RecentValues(kept),
    interruptToSilence: new RecentValues(kept),
  };
  #gaps = 0;
  #gapMs = 0;
  #longestGapMs = 0;
  #drops = 0;
  #droppedSamples = 0;

  add(kind: LatencyKind, ms: number): void {
    // A clock that was set back in between has measured nothing.
    if (Number.isFinite(ms) && ms >= 0) this.#recent[kind].add(ms);
  }

  /** What the session tells as `metrics`. */
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
    this.#longestGapMs = Math.max(this.#longestGapMs, ms);
  }

  /** Microphone samples that were never sent. */
  addDrop(samples: number): void {
    this.#drops += 1;
    this.#droppedSamples += samples;
  }

  summary(): LatencySummary {
    return {
      steps: {
        micToWire: this.#figures('micToWire'),
        roundTrip: this.#figures('roundTrip'),
        serverStep: this.#figures('serverStep'),
        wireToSound: this.#figures('wireToSound'),
        interruptToSilence: this.#figures('interruptToSilence'),
      },
      gaps: { count: this.#gaps, totalMs: this.#gapMs, longestMs: this.#longestGapMs },
      drops: { count: this.#drops, samples: this.#droppedSamples },
    };
  }

  #figures(kind: LatencyKind): LatencyQuantiles {
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
