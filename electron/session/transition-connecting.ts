import { appError } from '../../shared/errors/app-error.ts';
import { enterPhase, startTimer, transitionTo } from './effect.ts';
import type { Transition } from './effect.ts';
import { failedEnding, userEnding } from './session-ending.ts';
import type { SessionInput, TimerName } from './session-input.ts';
import { finishSession, closeConnection } from './close-session.ts';
import { endedByConnection } from './connection-ending.ts';
import type { ConnectingState } from './session-state.ts';
import { firstEventTimeoutMs, openTimeoutMs } from './session-timeouts.ts';
import { handleBeforeAdmission } from './server-event-before-admission.ts';
import { applyCommand } from './apply-command.ts';
import { connectAttempt } from './connect-attempt.ts';

/** While the connection is being made, or waits out a backoff. */
export function transitionConnecting(state: ConnectingState, event: SessionInput): Transition {
  switch (event.kind) {
    case 'opened':
      return state.stage === 'opening'
        ? transitionTo(
            { ...state, stage: 'opened' },
            { do: 'stopTimer', name: 'opening' },
            startTimer('firstEvent', firstEventTimeoutMs),
          )
        : transitionTo(state);
    case 'server':
      return state.stage === 'opened' ? handleBeforeAdmission(state, event) : transitionTo(state);
    case 'ended':
      return state.stage === 'backoff' || state.stage === 'unsupported'
        ? transitionTo(state)
        : finishSession(endedByConnection(event.end, state.context, event.at));
    case 'timer':
      return onTimer(state, event.name);
    case 'end': {
      const ending = userEnding(state.context.mode);
      return state.stage === 'opened' ? closeConnection(ending) : finishSession(ending);
    }
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

/** The stage that each timer times; in any other it is nobody's. */
const timed: Readonly<Partial<Record<TimerName, ConnectingState['stage']>>> = {
  opening: 'opening',
  firstEvent: 'opened',
  retry: 'backoff',
  unsupported: 'unsupported',
};

function onTimer(state: ConnectingState, name: TimerName): Transition {
  if (timed[name] !== state.stage) return transitionTo(state);
  switch (name) {
    case 'opening':
      return finishSession(
        failedEnding(appError('testSlow', { seconds: openTimeoutMs / 1000 }), 'network'),
      );
    case 'firstEvent':
      return closeConnection(failedEnding(appError('serverSilent')));
    case 'retry': {
      const { state: next, effects } = connectAttempt(state.context);
      return transitionTo(next, ...effects);
    }
    case 'unsupported':
      return finishSession(failedEnding(appError('noChatInLegacy'), 'client'));
    case 'created':
    case 'answer':
    case 'lateSound':
    case 'closeRequested':
    case 'disconnecting':
      return transitionTo(state);
  }
}

/** The first step of all. */
export function beginSession(context: ConnectingState['context']): Transition {
  if (context.mode === 'chat' && context.dialect === 'legacy')
    // Emitted later, not from inside the call that opens the session and has not returned it yet.
    return enterPhase(
      { phase: 'connecting', context, stage: 'unsupported' },
      startTimer('unsupported', 0),
    );
  const { state, effects } = connectAttempt(context);
  return enterPhase(state, ...effects);
}
