import { appError } from '../../../shared/errors/app-error.ts';
import { configure, connectAttempt } from './dialect-negotiation.ts';
import {
  emit,
  enterPhase,
  startTimer,
  type Transition,
  transitionTo,
  unreadable,
} from './effect.ts';
import {
  closeConnection,
  continueAfterError,
  endAfterFatalError,
  endedByConnection,
  finishSession,
  isFatalError,
} from './session-closing.ts';
import { endedByServer, failedEnding, userEnding } from './session-event.ts';
import {
  applyCommand,
  type ConnectingState,
  type QueuedState,
  type SessionInput,
  type TimerName,
} from './session-state.ts';
import { firstEventTimeoutMs, openTimeoutMs } from './session-timeouts.ts';

/** Handles connecting, backoff and queue. A queue has no timeout, because only the user decides to give up. */
export function transitionConnecting(
  state: ConnectingState | QueuedState,
  event: SessionInput,
): Transition {
  const stage = state.phase === 'queued' ? 'opened' : state.stage;
  switch (event.kind) {
    case 'opened':
      return state.phase === 'connecting' && stage === 'opening'
        ? transitionTo(
            { ...state, stage: 'opened' },
            { do: 'stopTimer', name: 'opening' },
            startTimer('firstEvent', firstEventTimeoutMs),
          )
        : transitionTo(state);
    case 'server':
      return stage === 'opened' ? handleBeforeAdmission(state, event) : transitionTo(state);
    case 'ended':
      return stage === 'backoff' || stage === 'unsupported'
        ? transitionTo(state)
        : finishSession(endedByConnection(event.end, state.context, event.at));
    case 'timer':
      return state.phase === 'connecting' ? onTimer(state, event.name) : transitionTo(state);
    case 'end': {
      const ending = userEnding(state.context.mode);
      return stage === 'opened' ? closeConnection(ending) : finishSession(ending);
    }
    case 'command':
      return transitionTo({ ...state, context: applyCommand(state.context, event.command) });
  }
}

const timerStages: Readonly<Partial<Record<TimerName, ConnectingState['stage']>>> = {
  opening: 'opening',
  firstEvent: 'opened',
  retry: 'backoff',
  unsupported: 'unsupported',
};

function onTimer(state: ConnectingState, name: TimerName): Transition {
  if (timerStages[name] !== state.stage) return transitionTo(state);
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

export function beginSession(context: ConnectingState['context']): Transition {
  if (context.mode === 'chat' && context.dialect === 'legacy')
    // Ends in a timer, because the caller has not received the session yet.
    return enterPhase(
      { phase: 'connecting', context, stage: 'unsupported' },
      startTimer('unsupported', 0),
    );
  const { state, effects } = connectAttempt(context);
  return enterPhase(state, ...effects);
}

/** Handles server events before admission; nothing may be sent until then. */
function handleBeforeAdmission(
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
      return configure(event.takesTools === true ? { ...context, takesTools: true } : context, at);
    case 'closed':
      return closeConnection(endedByServer(event.reason, event.diagnostic));
    case 'error':
      return isFatalError(event) ? endAfterFatalError(event) : continueAfterError(state, event, at);
    case 'unknown':
    case 'malformed':
      return transitionTo(state, emit(unreadable(event)));
    case 'created':
    case 'listen':
    case 'output':
    case 'done':
    case 'toolCall':
      return transitionTo(state);
  }
}
