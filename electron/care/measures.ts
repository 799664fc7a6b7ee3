import type { Metrics } from '../../shared/protocol/server-event.ts';
import type { Figures, MeasureKind, MeasuresSummary } from '../../shared/talk/talk-measures.ts';
import { median, quantile } from './quantiles.ts';
import { RecentFigures } from './recent-figures.ts';

/** Ten minutes of steps and some. */
const kept = 720;

/** Figures of a conversation, of the latest few hundred steps; nothing is allocated per figure. */
export class Measures {
  readonly #recent: Readonly<Record<MeasureKind, RecentFigures>> = {
    micToWire: new RecentFigures(kept),
    roundTrip: new RecentFigures(kept),
    serverStep: new RecentFigures(kept),
    wireToSound: new RecentFigures(kept),
    interruptToSilence: new RecentFigures(kept),
  };
  #gaps = 0;
  #gapMs = 0;
  #longestGapMs = 0;
  #drops = 0;
  #droppedSamples = 0;

  add(kind: MeasureKind, ms: number): void {
    // A clock that was set back in between has measured nothing.
    if (Number.isFinite(ms) && ms >= 0) this.#recent[kind].add(ms);
  }

  /** What the session tells as `metrics`. */
  addMetrics({ figures }: Metrics, roundTripMs: number | undefined): void {
    if (roundTripMs !== undefined) this.add('roundTrip', roundTripMs);
    const step = figures['wall_clock_ms'];
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

  summary(): MeasuresSummary {
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

  #figures(kind: MeasureKind): Figures {
    const sorted = this.#recent[kind].sorted();
    return {
      count: this.#recent[kind].count,
      median: median(sorted),
      p95: quantile(sorted, 0.95),
    };
  }
}
