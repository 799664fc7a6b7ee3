import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import { startTimer, transitionTo } from './effect.ts';
import type { Transition } from './effect.ts';
import type { PartialAnswer } from './session-state.ts';
import {
  chatStallAfterMalformedMs,
  chatStallTimeoutMs,
  chatStallBetweenDeltasMs,
  stallTimeoutMs,
} from './session-timeouts.ts';

/** Whatever the server says shows that it lives; what it still owes is waited for anew. */
export function restartStallWatchdog(
  { state, effects }: Transition,
  event: ServerEvent,
): Transition {
  if (state.phase !== 'live') return { state, effects };
  const { modeState } = state;
  if (modeState.kind === 'chat') {
    if (modeState.answer === undefined) return { state, effects };
    return transitionTo(
      state,
      ...effects,
      startTimer('answer', chatTimeoutMs(modeState.answer, event)),
    );
  }
  // A server that dropped an append in silence will never answer it, and nothing else is sent to it.
  if (state.context.paused) return { state, effects };
  const awaitsAnswer = modeState.uplink.unanswered.length > 0;
  if (!awaitsAnswer && !modeState.watchdogRunning) return { state, effects };
  return transitionTo(
    { ...state, modeState: { ...modeState, watchdogRunning: awaitsAnswer } },
    ...effects,
    awaitsAnswer ? startTimer('answer', stallTimeoutMs) : { do: 'stopTimer', name: 'answer' },
  );
}

function chatTimeoutMs({ text, sounded }: PartialAnswer, event: ServerEvent): number {
  if (event.kind === 'malformed') return chatStallAfterMalformedMs;
  return text !== '' || sounded ? chatStallBetweenDeltasMs : chatStallTimeoutMs;
}
