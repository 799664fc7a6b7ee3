import { handleBeforeAdmission } from './server-event-before-admission.ts';
import { transitionTo } from './effect.ts';
import type { Transition } from './effect.ts';
import { userEnding } from './session-ending.ts';
import type { SessionInput } from './session-input.ts';
import { finishSession, closeConnection } from './close-session.ts';
import { endedByConnection } from './connection-ending.ts';
import type { QueuedState } from './session-state.ts';
import { applyCommand } from './apply-command.ts';

/** Queues may be long, and a worker that is down queues for ever: giving up is the person's choice. */
export function transitionQueued(state: QueuedState, event: SessionInput): Transition {
  switch (event.kind) {
    case 'server':
      return handleBeforeAdmission(state, event);
    case 'ended':
      return finishSession(endedByConnection(event.end, state.context, event.at));
    case 'end':
      return closeConnection(userEnding(state.context.mode));
    case 'opened':
    case 'timer':
      return transitionTo(state);
    case 'chunk':
    case 'frame':
    case 'maxSlices':
    case 'instructions':
    case 'question':
    case 'interrupt':
    case 'pause':
    case 'resume':
      return transitionTo({ ...state, context: applyCommand(state.context, event) });
  }
}
