import { startTimer, transitionTo } from './effect.ts';
import type { Transition } from './effect.ts';
import { emitMetrics } from './emit-metrics.ts';
import type { SessionInput, TimerName } from './session-input.ts';
import { finishSession } from './close-session.ts';
import { emitUnreadable } from './emit-frame-problems.ts';
import type { ClosingState } from './session-state.ts';
import { disconnectTimeoutMs } from './session-timeouts.ts';

/** On the way out. The ending stands already; nothing is sent, and what comes is ignored. */
export function transitionClosing(state: ClosingState, event: SessionInput): Transition {
  switch (event.kind) {
    case 'ended':
      return finishSession(state.ending);
    case 'server':
      if (event.event.kind === 'closed' && state.stage === 'closeRequested') {
        const closing = closeSocket(state);
        return transitionTo(
          closing.state,
          ...emitMetrics(event.event, undefined),
          ...closing.effects,
        );
      }
      return event.event.kind === 'unknown'
        ? transitionTo(state, emitUnreadable(event.event))
        : transitionTo(state);
    case 'timer':
      return onTimer(state, event.name);
    case 'opened':
    case 'end':
    case 'chunk':
    case 'frame':
    case 'maxSlices':
    case 'instructions':
    case 'question':
    case 'interrupt':
    case 'pause':
    case 'resume':
      return transitionTo(state);
  }
}

function onTimer(state: ClosingState, name: TimerName): Transition {
  if (state.stage === 'closeRequested')
    return name === 'closeRequested' ? closeSocket(state) : transitionTo(state);
  return name === 'disconnecting' ? finishSession(state.ending) : transitionTo(state);
}

function closeSocket(state: ClosingState): Transition {
  return transitionTo(
    { ...state, stage: 'disconnecting' },
    { do: 'stopTimer', name: 'closeRequested' },
    { do: 'disconnect' },
    startTimer('disconnecting', disconnectTimeoutMs),
  );
}
