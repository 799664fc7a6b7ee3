import { reasonOf } from '../../../../shared/errors/session-reasons.ts';
import type { TalkState } from '../../../../shared/talk/talk-state.ts';
import type { ConversationEvent } from '../../../conversation/conversation-event.ts';
import type { ViewEvent } from './terminal-view.ts';

/** What of a conversation is shown; its end is its own, and not that of a session that is reconnected. */
export function viewEventOf(event: ConversationEvent): ViewEvent | undefined {
  switch (event.event) {
    case 'audio':
      return { event: 'audio', turn: event.turn, samples: event.audio.length };
    case 'listen':
      return { event: 'listen', flushedSamples: event.flushedSamples };
    case 'talk':
      return ofState(event.state);
    case 'controls':
      return {
        event: 'controls',
        muted: event.controls.muted,
        paused: event.controls.paused,
      };
    case 'state':
    case 'queue':
    case 'session':
    case 'sent':
    case 'dropped':
    case 'text':
    case 'turnEnded':
    case 'done':
    case 'metrics':
    case 'error':
    case 'unknown':
    case 'handedOver':
    case 'onlyListens':
      return event;
    case 'closed':
    case 'caption':
    case 'floor':
    case 'turnHeard':
    case 'limits':
    case 'warning':
    case 'devices':
    case 'measure':
      return undefined;
  }
}

function ofState(state: TalkState): ViewEvent | undefined {
  if (state.phase === 'reconnecting') {
    // Once a loss, and not with every try that follows.
    if (state.attempt > 1 || state.inMs === 0) return undefined;
    const sentence = `The session is lost (${reasonOf(state.error)}); connecting again.`;
    return { event: 'note', sentence };
  }
  if (state.phase === 'live' && state.quiet === true)
    return { event: 'note', sentence: 'No word from the server.' };
  if (state.phase !== 'ended') return undefined;
  return { event: 'closed', ...state.ending };
}
