import { latencyKinds } from '../../../shared/talk/talk-latency.ts';
import type {
  LatencyQuantiles,
  LatencyKind,
  LatencySummary,
} from '../../../shared/talk/talk-latency.ts';
import type { Clock } from '../../ports/clock.ts';

const everyMs = 60_000;

const names: Readonly<Record<LatencyKind, string>> = {
  micToWire: 'microphone→wire',
  roundTrip: 'round trip',
  serverStep: 'server step',
  wireToSound: 'wire→sound',
  interruptToSilence: 'interrupt→silence',
};

/** The latency stats in one line, milliseconds as median/p95; what was never measured is left out. */
export function latencyLine({ steps, gaps, drops }: LatencySummary): string {
  const shown = latencyKinds.flatMap((kind) => {
    const text = quantilesText(steps[kind]);
    return text === undefined ? [] : [`${names[kind]} ${text}`];
  });
  const silence =
    gaps.count === 0 ? 'no gaps' : `${gaps.count} gaps, longest ${whole(gaps.longestMs)} ms`;
  const lost = drops.count === 0 ? 'no drops' : `${drops.count} drops of ${drops.samples} samples`;
  return [...shown, silence, lost].join('; ');
}

function quantilesText({ count, median, p95 }: LatencyQuantiles): string | undefined {
  if (median === undefined || p95 === undefined) return undefined;
  return `${whole(median)}/${whole(p95)} ms (${count})`;
}

function whole(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

/** A line for the log, a minute after the last at the earliest. Ask as often as is handy while live. */
export class LatencyLog {
  readonly #clock: Clock;
  readonly #summary: () => LatencySummary;
  #lastAt: number;

  constructor(clock: Clock, summary: () => LatencySummary) {
    this.#clock = clock;
    this.#summary = summary;
    this.#lastAt = clock.now();
  }

  due(): string | undefined {
    const now = this.#clock.now();
    if (now - this.#lastAt < everyMs) return undefined;
    this.#lastAt = now;
    return latencyLine(this.#summary());
  }
}
