import type { AppError } from '../../shared/errors/app-error.ts';
import { transitionClosing } from './transition-closing.ts';
import { transitionConfiguring } from './transition-configuring.ts';
import { transitionConnecting } from './transition-connecting.ts';
import { finishSession } from './close-session.ts';
import { transitionTo } from './effect.ts';
import type { Transition } from './effect.ts';
import { countReceived, excessOf } from './received-amounts.ts';
import { failedEnding } from './session-ending.ts';
import type { SessionInput } from './session-input.ts';
import { transitionLive } from './transition-live.ts';
import { transitionQueued } from './transition-queued.ts';
import type { SessionState } from './session-state.ts';

/** The session as a table: what it becomes and what is to be done, whatever happens in whichever state. */
export function transition(before: SessionState, event: SessionInput): Transition {
  const { state, excess } = event.kind === 'server' ? takeIn(before, event) : { state: before };
  if (excess !== undefined) return finishSession(failedEnding(excess));
  switch (state.phase) {
    case 'connecting':
      return transitionConnecting(state, event);
    case 'queued':
      return transitionQueued(state, event);
    case 'configuring':
      return transitionConfiguring(state, event);
    case 'live':
      return transitionLive(state, event);
    case 'closing':
      return transitionClosing(state, event);
    case 'closed':
      return transitionTo(state);
  }
}

/** Counts what a server sends before anything is made of it; one that pours out is cut off. */
function takeIn(
  state: SessionState,
  { event, at }: Extract<SessionInput, { kind: 'server' }>,
): Taken {
  if (state.phase === 'closing' || state.phase === 'closed') return { state };
  const { mode, received: before } = state.context;
  const received = countReceived(before, event, at);
  if (received === undefined || received === before) return { state };
  return {
    state: { ...state, context: { ...state.context, received } },
    excess: excessOf(received, mode),
  };
}

interface Taken {
  readonly state: SessionState;
  readonly excess?: AppError | undefined;
}
