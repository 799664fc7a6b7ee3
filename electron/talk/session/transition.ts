import { type AppError, appError } from '../../../shared/errors/app-error.ts';
import type { ServerEvent, ToolCallEvent } from '../../../shared/protocol/realtime-api.ts';
import { sendsTools } from './dialect-negotiation.ts';
import {
  applyCommand,
  emit,
  emitMetrics,
  type LiveState,
  type PartialAnswer,
  prependEffects,
  repairs,
  type SessionCommand,
  type SessionInput,
  type SessionState,
  startTimer,
  type Transition,
  transitionTo,
  unreadable,
} from './session-state.ts';
import {
  abandonAnswer,
  handleAnswer,
  handleChatSoundTimeout,
  pendingDone,
  sendNextQuestion,
} from './live-chat.ts';
import {
  handleChunk,
  handleInterrupt,
  handleLateSoundTimeout,
  handlePause,
  handleStep,
  handleStepDone,
  handleStepError,
} from './live-duplex.ts';
import { countReceived, findExcess } from './received-amounts.ts';
import {
  chatStallAfterMalformedMs,
  chatStallBetweenDeltasMs,
  chatStallTimeoutMs,
  stallTimeoutMs,
} from './session-timing.ts';
import {
  closeConnection,
  endAfterFatalError,
  endedByConnection,
  finishSession,
  isFatalError,
  rememberError,
  reportedError,
  requestClose,
  transitionClosing,
} from './session-closing.ts';
import { endedByServer, failedEnding } from './session-event.ts';
import { transitionConfiguring, transitionConnecting } from './transition-connecting.ts';

/** The session's transition table: next state and effects for any input in any state. */
export function transition(before: SessionState, event: SessionInput): Transition {
  const { state, excess } = event.kind === 'server' ? countInput(before, event) : { state: before };
  if (excess !== undefined) return finishSession(failedEnding(excess));
  switch (state.phase) {
    case 'connecting':
    case 'queued':
      return transitionConnecting(state, event);
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

/** Counts received amounts first; a server that floods the client is cut off. */
function countInput(
  state: SessionState,
  { event, at }: Extract<SessionInput, { kind: 'server' }>,
): CountedInput {
  if (state.phase === 'closing' || state.phase === 'closed') return { state };
  const { mode, received: before } = state.context;
  const received = countReceived(before, event, at);
  if (received === undefined || received === before) return { state };
  return {
    state: { ...state, context: { ...state.context, received } },
    excess: findExcess(received, mode),
  };
}

interface CountedInput {
  readonly state: SessionState;
  readonly excess?: AppError | undefined;
}

function transitionLive(state: LiveState, event: SessionInput): Transition {
  const { context } = state;
  switch (event.kind) {
    case 'server':
      return restartStallWatchdog(handleServerEventWithRepairs(state, event), event.event);
    case 'ended':
      return prependEffects(
        pendingDone(state.modeState),
        finishSession(endedByConnection(event.end, context, event.at)),
      );
    case 'timer':
      return handleTimer(state, event);
    case 'end':
      return requestClose(context);
    case 'opened':
      return transitionTo(state);
    case 'command':
      return handleCommand(state, event.command, event.at);
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
  const repaired = event.kind === 'output' || event.kind === 'done' ? repairs(event).map(emit) : [];
  return prependEffects(repaired, handleServerEvent(state, input));
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
    case 'closed':
      return prependEffects(
        [...pendingDone(state.modeState), ...emitMetrics(event, undefined)],
        closeConnection(endedByServer(event.reason, event.diagnostic)),
      );
    case 'error': {
      if (isFatalError(event))
        return prependEffects(pendingDone(state.modeState), endAfterFatalError(event));
      const next: LiveState = { ...state, context: rememberError(state.context, event, at) };
      return prependEffects(
        [emit(reportedError(event))],
        next.modeState.kind === 'chat'
          ? abandonAnswer(next, next.modeState, event)
          : handleStepError(next, next.modeState, event.inputId, at),
      );
    }
    case 'malformed':
      return prependEffects(
        [emit(unreadable(event))],
        state.modeState.kind === 'chat'
          ? transitionTo(state)
          : handleStepError(state, state.modeState, undefined, at),
      );
    case 'toolCall':
      return handleToolCall(state, event);
    case 'unknown':
      return transitionTo(state, emit(unreadable(event)));
    case 'queued':
    case 'admitted':
    case 'created':
      return transitionTo(state);
  }
}

/** While this many calls wait for a result, further ones are ignored. */
const maxCalls = 8;

/** A call counts only if tools were sent, and once. */
function handleToolCall(state: LiveState, { call, ask }: ToolCallEvent): Transition {
  const { context } = state;
  const { calls } = context;
  const isKnown = calls.has(call);
  const isFull = calls.size >= maxCalls;
  if (ask === undefined ? !isKnown : isKnown || isFull || !sendsTools(context))
    return transitionTo(state);
  const others = [...calls].filter(([id]) => id !== call);
  const next = ask === undefined ? others : [...others, [call, ask.form] as const];
  return transitionTo(
    { ...state, context: { ...context, calls: new Map(next) } },
    emit({ event: 'toolCall', call, ask: ask && { name: ask.name, args: ask.args } }),
  );
}

function answerCall(state: LiveState, call: string, text: string): Transition {
  const { context } = state;
  const form = context.calls.get(call);
  if (form === undefined) return transitionTo(state);
  const calls = new Map([...context.calls].filter(([id]) => id !== call));
  return transitionTo(
    { ...state, context: { ...context, calls } },
    { do: 'send', message: { kind: 'toolResult', call, form, text }, dialect: context.dialect },
  );
}

function handleCommand(previous: LiveState, command: SessionCommand, at: number): Transition {
  const state: LiveState = { ...previous, context: applyCommand(previous.context, command) };
  const { modeState } = state;
  switch (command.kind) {
    case 'chunk':
      return modeState.kind === 'duplex'
        ? handleChunk(state, modeState, command, at)
        : transitionTo(state);
    case 'interrupt':
      return modeState.kind === 'duplex'
        ? handleInterrupt(state, modeState, at)
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
    case 'toolResult':
      return answerCall(state, command.call, command.text);
    case 'resume':
      return sendNextQuestion(state);
    case 'frame':
    case 'maxSlices':
    case 'instructions':
      return transitionTo(state);
  }
}

/** Any server event proves that the server lives, so the wait for its next answer restarts. */
function restartStallWatchdog({ state, effects }: Transition, event: ServerEvent): Transition {
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
  // The watchdog does not run while paused: nothing is sent that could settle an append which the server dropped.
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
