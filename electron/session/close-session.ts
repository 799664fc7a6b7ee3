import { reasonOf } from '../../shared/errors/session-reasons.ts';
import { enterPhase, emit, startTimer } from './effect.ts';
import type { Transition } from './effect.ts';
import type { SessionEnding } from './session-ending.ts';
import { userEnding } from './session-ending.ts';
import type { SessionContext } from './session-state.ts';
import { closeReplyTimeoutMs, disconnectTimeoutMs } from './session-timeouts.ts';

/** Over at once; the connection, if there still is one, is cut. */
export function finishSession(ending: SessionEnding): Transition {
  return enterPhase({ phase: 'closed' }, { do: 'terminate' }, emit({ event: 'closed', ...ending }));
}

/** Closes the connection without a word in the protocol, and waits a moment for the other side. */
export function closeConnection(ending: SessionEnding): Transition {
  return enterPhase(
    { phase: 'closing', stage: 'disconnecting', ending },
    { do: 'disconnect' },
    startTimer('disconnecting', disconnectTimeoutMs),
  );
}

/** Says `session.close`; only a session that was created knows the word. */
export function requestClose({ mode, dialect }: SessionContext): Transition {
  const ending = userEnding(mode);
  return enterPhase(
    { phase: 'closing', stage: 'closeRequested', ending },
    { do: 'send', ask: { kind: 'close', reason: reasonOf(ending.error) }, dialect },
    startTimer('closeRequested', closeReplyTimeoutMs),
  );
}
