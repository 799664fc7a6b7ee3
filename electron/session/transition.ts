import { inClosing } from './closing.ts';
import { inConfiguring } from './configuring.ts';
import { inConnecting } from './connecting.ts';
import { to } from './effect.ts';
import type { Transition } from './effect.ts';
import type { Happening } from './happening.ts';
import { inLive } from './live.ts';
import { inQueued } from './queued.ts';
import type { SessionState } from './state.ts';

/** The session as a table: what it becomes and what is to be done, whatever happens in whichever state. */
export function transition(state: SessionState, event: Happening): Transition {
  switch (state.phase) {
    case 'connecting':
      return inConnecting(state, event);
    case 'queued':
      return inQueued(state, event);
    case 'configuring':
      return inConfiguring(state, event);
    case 'live':
      return inLive(state, event);
    case 'closing':
      return inClosing(state, event);
    case 'closed':
      return to(state);
  }
}
