import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';

/** How long a session is taken to last before any was seen: what deployed gateways begin with. */
const firstGuess: Readonly<Record<Mode, number>> = { chat: 15, audio: 120, video: 90 };
/** As many sessions must have ended before their own length counts, and each new one counts so much. */
const enoughSessions = 3;
const weight = 0.3;

/** How long sessions of each mode really keep their worker, learned from those that have ended. */
export interface TurnOver {
  readonly learn: (mode: Mode, seconds: number) => void;
  readonly expectedSeconds: (mode: Mode) => number;
}

export function openTurnOver(): TurnOver {
  const seen = new Map<Mode, { readonly count: number; readonly mean: number }>();
  return {
    learn: (mode, seconds) => {
      const { count, mean } = seen.get(mode) ?? { count: 0, mean: seconds };
      seen.set(mode, { count: count + 1, mean: mean + weight * (seconds - mean) });
    },
    expectedSeconds: (mode) => {
      const known = seen.get(mode);
      return known === undefined || known.count < enoughSessions ? firstGuess[mode] : known.mean;
    },
  };
}
