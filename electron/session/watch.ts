import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import { timer, to } from './effect.ts';
import type { Transition } from './effect.ts';
import type { Answer } from './state.ts';
import {
  chatStalledAfterGarbageMs,
  chatStalledAfterMs,
  chatStalledBetweenPiecesMs,
  stalledAfterMs,
} from './timings.ts';

/** Whatever the server says shows that it lives; what it still owes is waited for anew. */
export function keepWatch({ state, effects }: Transition, event: ServerEvent): Transition {
  if (state.phase !== 'live') return { state, effects };
  const { talk } = state;
  if (talk.kind === 'chat') {
    if (talk.answer === undefined) return { state, effects };
    return to(state, ...effects, timer('answer', patienceWith(talk.answer, event)));
  }
  // A server that dropped an append in silence will never answer it, and nothing else is sent to it.
  if (state.course.paused) return { state, effects };
  const owes = talk.uplink.unanswered.length > 0;
  if (!owes && !talk.watched) return { state, effects };
  return to(
    { ...state, talk: { ...talk, watched: owes } },
    ...effects,
    owes ? timer('answer', stalledAfterMs) : { do: 'stopTimer', name: 'answer' },
  );
}

function patienceWith({ text, sounded }: Answer, event: ServerEvent): number {
  if (event.kind === 'malformed') return chatStalledAfterGarbageMs;
  return text !== '' || sounded ? chatStalledBetweenPiecesMs : chatStalledAfterMs;
}
