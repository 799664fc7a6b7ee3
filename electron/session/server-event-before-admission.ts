import { configure } from './dialect-negotiation.ts';
import { enterPhase, emit, transitionTo } from './effect.ts';
import type { Transition } from './effect.ts';
import { endedByServer } from './session-ending.ts';
import type { SessionInput } from './session-input.ts';
import { closeConnection } from './close-session.ts';
import { emitUnreadable } from './emit-frame-problems.ts';
import { endAfterFatalError, continueAfterError, isFatalError } from './server-error-handling.ts';
import type { ConnectingState, QueuedState } from './session-state.ts';

/** What servers say before a worker is assigned; until then nothing may be sent. */
export function handleBeforeAdmission(
  state: ConnectingState | QueuedState,
  { event, at }: Extract<SessionInput, { kind: 'server' }>,
): Transition {
  const { context } = state;
  switch (event.kind) {
    case 'queued': {
      const { position, length, etaSeconds, ticket } = event;
      const queue = emit({ event: 'queue', position, length, etaSeconds, ticket });
      return state.phase === 'queued'
        ? transitionTo(state, queue)
        : enterPhase({ phase: 'queued', context }, queue);
    }
    case 'admitted':
      return configure(context, at);
    case 'closed':
      return closeConnection(endedByServer(event.reason, event.diagnostic));
    case 'error':
      return isFatalError(event) ? endAfterFatalError(event) : continueAfterError(state, event, at);
    case 'unknown':
    case 'malformed':
      return transitionTo(state, emitUnreadable(event));
    case 'created':
    case 'listen':
    case 'output':
    case 'done':
      return transitionTo(state);
  }
}
