import type { Mode } from '../../shared/protocol/realtime-api.ts';

/** Assumed length of a session, like that of deployed gateways, until enough sessions have ended. */
const initialSeconds: Readonly<Record<Mode, number>> = { chat: 15, audio: 120, video: 90 };
/** The mean of a mode counts once this many of its sessions have ended. */
const minSessions = 3;
const newestWeight = 0.3;

/** Learns from ended sessions how long each mode keeps its worker. */
export interface SessionDurations {
  readonly learn: (mode: Mode, seconds: number) => void;
  readonly expectedSeconds: (mode: Mode) => number;
}

export function openSessionDurations(): SessionDurations {
  const seen = new Map<Mode, { readonly count: number; readonly mean: number }>();
  return {
    learn: (mode, seconds) => {
      const { count, mean } = seen.get(mode) ?? { count: 0, mean: seconds };
      seen.set(mode, { count: count + 1, mean: mean + newestWeight * (seconds - mean) });
    },
    expectedSeconds: (mode) => {
      const known = seen.get(mode);
      return known === undefined || known.count < minSessions ? initialSeconds[mode] : known.mean;
    },
  };
}

/**
 * The time until a worker is free, in whole seconds, if every client ahead takes the first free worker and keeps it as
 * long as expected. `remaining` are the busy workers' expected seconds, `ahead` those of the clients in front.
 */
export function estimateQueueSeconds(
  workers: number,
  remaining: readonly number[],
  ahead: readonly number[],
): number {
  const idle = Array.from({ length: Math.max(0, workers - remaining.length) }, () => 0);
  let free: readonly number[] = [...remaining.map((seconds) => Math.max(0, seconds)), ...idle];
  for (const seconds of ahead) {
    const [first = 0, ...others] = free.toSorted((a, b) => a - b);
    free = [first + seconds, ...others];
  }
  return Math.ceil(free.length === 0 ? 0 : Math.min(...free));
}
