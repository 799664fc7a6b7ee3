import { appError } from '../../shared/errors/app-error.ts';
import type { TalkEnding, TalkReconnecting, TalkState } from '../../shared/talk/talk-state.ts';
import type { AfterEnding } from './policies/reconnect-policy.ts';
import type { SessionPhase } from '../session/session-event.ts';

/** Where the conversation stands when its session enters a phase. */
export function stateAfter(state: TalkState, phase: SessionPhase): TalkState {
  switch (phase) {
    case 'live':
      return { phase: 'live' };
    case 'queued':
      return state.phase === 'queued'
        ? state
        : { phase: 'queued', position: undefined, length: undefined, etaSeconds: undefined };
    case 'connecting':
    case 'configuring':
      // To a person a session that comes again is one thing until it is there.
      return state.phase === 'reconnecting' ? state : { phase: 'connecting' };
    case 'closing':
      return state.phase === 'reconnecting' ? state : { phase: 'ending' };
    case 'closed':
      return state;
  }
}

/** The session is over; `then` says whether the conversation is. */
export function stateAfterEnding(
  ending: TalkEnding,
  then: AfterEnding,
  attempt: number,
): TalkState & { readonly phase: 'reconnecting' | 'ended' } {
  return then.do === 'reconnect'
    ? {
        phase: 'reconnecting',
        attempt,
        inMs: then.inMs,
        error: ending.error,
      }
    : { phase: 'ended', ending, offer: then.offer };
}

/** A reconnect whose backoff is over. */
export function tryingAgain(state: TalkReconnecting): TalkReconnecting {
  return { ...state, inMs: 0 };
}

/** Between a session that had to go for the next one and that. */
export const bridging: TalkReconnecting = {
  phase: 'reconnecting',
  attempt: 1,
  inMs: 0,
  error: appError('timeLimitReached'),
};

/** What a page gets of the end of a session. */
export function endingOf({ error, by, orderly }: TalkEnding): TalkEnding {
  return { error, by, orderly };
}

export function isSameState(one: TalkState, other: TalkState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
