import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import { timer, to } from './effect.ts';
import type { Transition } from './effect.ts';
import { chatStalledAfterGarbageMs, chatStalledAfterMs, stalledAfterMs } from './timings.ts';

/** Whatever the server says shows that it lives; what it still owes is waited for anew. */
export function keepWatch({ state, effects }: Transition, event: ServerEvent): Transition {
  if (state.phase !== 'live') return { state, effects };
  const { talk } = state;
  if (talk.kind === 'chat') {
    if (talk.answer === undefined) return { state, effects };
    const patience = event.kind === 'malformed' ? chatStalledAfterGarbageMs : chatStalledAfterMs;
    return to(state, ...effects, timer('answer', patience));
  }
  const owes = talk.uplink.unanswered.length > 0;
  if (!owes && !talk.watched) return { state, effects };
  return to(
    { ...state, talk: { ...talk, watched: owes } },
    ...effects,
    owes ? timer('answer', stalledAfterMs) : { do: 'stopTimer', name: 'answer' },
  );
}
