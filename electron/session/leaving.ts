import { enter, tell, timer } from './effect.ts';
import type { Transition } from './effect.ts';
import type { Ending } from './endings.ts';
import { ownEnding } from './endings.ts';
import type { Course } from './state.ts';
import { goodbyeWithinMs, hangUpWithinMs } from './timings.ts';

/** Over at once; the line, if there still is one, is cut. */
export function finish(ending: Ending): Transition {
  return enter({ phase: 'closed' }, { do: 'terminate' }, tell({ event: 'closed', ...ending }));
}

/** Closes the line without a word in the protocol, and waits a moment for the other side. */
export function hangUp(ending: Ending): Transition {
  return enter(
    { phase: 'closing', stage: 'hangingUp', ending },
    { do: 'disconnect' },
    timer('hangUp', hangUpWithinMs),
  );
}

/** Says `session.close`; only a session that was created knows the word. */
export function sayGoodbye({ mode, dialect }: Course): Transition {
  const ending = ownEnding(mode);
  return enter(
    { phase: 'closing', stage: 'goodbye', ending },
    { do: 'send', ask: { kind: 'close', reason: ending.reason }, dialect },
    timer('goodbye', goodbyeWithinMs),
  );
}
