import { appError } from '../../shared/errors/app-error.ts';
import {
  sendNextQuestion,
  abandonAnswer,
  handleAnswer,
  handleChatSoundTimeout,
  heldDone,
} from './live-chat.ts';
import {
  handleStepDone,
  handleStepError,
  handleStep,
  handleInterrupt,
  handlePause,
  handleChunk,
  handleLateSoundTimeout,
} from './live-duplex.ts';
import { emit, transitionTo } from './effect.ts';
import { emitMetrics } from './emit-metrics.ts';
import type { Transition } from './effect.ts';
import { endedByServer, failedEnding } from './session-ending.ts';
import type { SessionInput, SessionCommand } from './session-input.ts';
import { finishSession, closeConnection, requestClose } from './close-session.ts';
import { endedByConnection } from './connection-ending.ts';
import { emitUnreadable, emitRepairs } from './emit-frame-problems.ts';
import { endAfterFatalError, continueAfterError, isFatalError } from './server-error-handling.ts';
import type { LiveState } from './session-state.ts';
import { restartStallWatchdog } from './stall-watchdog.ts';
import { applyCommand } from './apply-command.ts';

/** Live: what the server, the person and the timers bring is handled by mode. */
export function transitionLive(state: LiveState, event: SessionInput): Transition {
  const { context } = state;
  switch (event.kind) {
    case 'server':
      return restartStallWatchdog(handleServerEventWithRepairs(state, event), event.event);
    case 'ended': {
      const held = state.modeState.kind === 'chat' ? heldDone(state.modeState) : [];
      const finished = finishSession(endedByConnection(event.end, context, event.at));
      return transitionTo(finished.state, ...held, ...finished.effects);
    }
    case 'timer':
      return handleTimer(state, event);
    case 'end':
      return requestClose(context);
    case 'opened':
      return transitionTo(state);
    case 'chunk':
    case 'frame':
    case 'maxSlices':
    case 'instructions':
    case 'question':
    case 'interrupt':
    case 'pause':
    case 'resume':
      return handleCommand(state, event);
  }
}

function handleTimer(
  state: LiveState,
  { name }: Extract<SessionInput, { kind: 'timer' }>,
): Transition {
  if (name === 'answer') return closeConnection(failedEnding(appError('serverStalled')));
  if (name !== 'lateSound') return transitionTo(state);
  const { modeState } = state;
  return modeState.kind === 'duplex'
    ? handleLateSoundTimeout(state, modeState)
    : handleChatSoundTimeout(state, modeState);
}

function handleServerEventWithRepairs(
  state: LiveState,
  input: Extract<SessionInput, { kind: 'server' }>,
): Transition {
  const { event } = input;
  const repairs = event.kind === 'output' || event.kind === 'done' ? emitRepairs(event) : [];
  const { state: next, effects } = handleServerEvent(state, input);
  return transitionTo(next, ...repairs, ...effects);
}

function handleServerEvent(
  state: LiveState,
  { event, at }: Extract<SessionInput, { kind: 'server' }>,
): Transition {
  switch (event.kind) {
    case 'output':
    case 'listen':
      return state.modeState.kind === 'chat'
        ? handleAnswer(state, state.modeState, event)
        : handleStep(state, state.modeState, event, at);
    case 'done':
      return state.modeState.kind === 'chat'
        ? handleAnswer(state, state.modeState, event)
        : handleStepDone(state, state.modeState, event, at);
    case 'closed': {
      const closing = closeConnection(endedByServer(event.reason, event.diagnostic));
      return transitionTo(closing.state, ...emitMetrics(event, undefined), ...closing.effects);
    }
    case 'error': {
      if (isFatalError(event)) return endAfterFatalError(event);
      const { state: next, effects } = continueAfterError(state, event, at);
      if (next.phase !== 'live') return transitionTo(next, ...effects);
      const then =
        next.modeState.kind === 'chat'
          ? abandonAnswer(next, next.modeState, event)
          : handleStepError(next, next.modeState, event.inputId, at);
      return transitionTo(then.state, ...effects, ...then.effects);
    }
    case 'malformed': {
      if (state.modeState.kind === 'chat') return transitionTo(state, emitUnreadable(event));
      const then = handleStepError(state, state.modeState, undefined, at);
      return transitionTo(then.state, emitUnreadable(event), ...then.effects);
    }
    case 'unknown':
      return transitionTo(state, emitUnreadable(event));
    case 'queued':
    case 'admitted':
    case 'created':
      return transitionTo(state);
  }
}

function handleCommand(previous: LiveState, command: SessionCommand): Transition {
  const state: LiveState = { ...previous, context: applyCommand(previous.context, command) };
  const { modeState } = state;
  switch (command.kind) {
    case 'chunk':
      return modeState.kind === 'duplex'
        ? handleChunk(state, modeState, command)
        : transitionTo(state);
    case 'interrupt':
      return modeState.kind === 'duplex'
        ? handleInterrupt(state, modeState, command.at)
        : transitionTo(state);
    case 'pause':
      return modeState.kind === 'duplex' ? handlePause(state, modeState) : transitionTo(state);
    case 'question':
      return modeState.kind === 'chat'
        ? sendNextQuestion(state)
        : transitionTo(
            previous,
            emit({ event: 'error', error: appError('notChat'), fatal: false }),
          );
    case 'resume':
      return sendNextQuestion(state);
    case 'frame':
    case 'maxSlices':
    case 'instructions':
      return transitionTo(state);
  }
}
