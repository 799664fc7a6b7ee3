import { transitionClosing } from './transition-closing.ts';
import { transitionConfiguring } from './transition-configuring.ts';
import { transitionConnecting } from './transition-connecting.ts';
import { transitionTo } from './effect.ts';
import type { Transition } from './effect.ts';
import type { SessionInput } from './session-input.ts';
import { transitionLive } from './transition-live.ts';
import { transitionQueued } from './transition-queued.ts';
import type { SessionState } from './session-state.ts';

/** The session as a table: what it becomes and what is to be done, whatever happens in whichever state. */
export function transition(state: SessionState, event: SessionInput): Transition {
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
