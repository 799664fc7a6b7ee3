import type { ClientEvent } from '../../shared/protocol/client-event.ts';
import { maxEarlyMessageBytes } from '../../shared/protocol/protocol-limits.ts';

/** A minute of appends, one a second; who sends more before it has a session is no client of this API. */
const maxHeld = 60;

/** The most that one connection may send in all before it has a session. */
const maxEarlyLetters = 2 * maxEarlyMessageBytes;

/** What came before its time and waits until it can be worked, in the order in which it came. */
export interface HeldEvents {
  /** Whether there was room for it. */
  readonly hold: (event: ClientEvent) => boolean;
  /** Whether so much may still be read of one who has no worker yet. */
  readonly mayRead: (letters: number) => boolean;
  readonly holdsConfigure: () => boolean;
  readonly takeAll: () => readonly ClientEvent[];
}

export function openHeldEvents(): HeldEvents {
  let held: ClientEvent[] = [];
  let letters = 0;

  return {
    hold: (event) => {
      if (held.length >= maxHeld) return false;
      held.push(event);
      return true;
    },
    mayRead: (more) => {
      letters += more;
      return more <= maxEarlyMessageBytes && letters <= maxEarlyLetters;
    },
    holdsConfigure: () => held.some(({ kind }) => kind === 'configure'),
    takeAll: () => {
      const taken = held;
      held = [];
      return taken;
    },
  };
}
