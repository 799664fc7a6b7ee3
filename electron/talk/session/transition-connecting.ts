import { appError } from '../../../shared/errors/app-error.ts';
import type { SocketEnd } from '../../../shared/ports/sockets.ts';
import type { CreatedEvent, ServerErrorEvent } from '../../../shared/protocol/realtime-api.ts';
import { usedContextTokens } from '../../../shared/protocol/token-usage.ts';
import {
  configure,
  connectAttempt,
  mayLackChat,
  observedVoiceForm,
  otherDialect,
  reconnectAfterBackoff,
  sendsTools,
  tryOtherDialect,
} from './dialect-negotiation.ts';
import {
  applyCommand,
  type ConfiguringState,
  type ConnectingState,
  emit,
  emitMetrics,
  enterPhase,
  type LiveState,
  prependEffects,
  type QueuedState,
  type SessionContext,
  type SessionInput,
  startTimer,
  type TimerName,
  type Transition,
  transitionTo,
  unreadable,
} from './session-state.ts';
import { sendNextQuestion } from './live-chat.ts';
import {
  closeConnection,
  continueAfterError,
  endAfterFatalError,
  endedByConnection,
  finishSession,
  isConfigurationError,
  isFailedHandOver,
  isFatalError,
} from './session-closing.ts';
import {
  endedByServer,
  endedByServerError,
  failedEnding,
  type SessionEnding,
  userEnding,
} from './session-event.ts';
import {
  firstEventTimeoutMs,
  immediateRefusalMs,
  maxHandOvers,
  openTimeoutMs,
} from './session-timing.ts';

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
      return state.phase === 'connecting'
        ? onConnectingTimer(state, event.name)
        : transitionTo(state);
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

function onConnectingTimer(state: ConnectingState, name: TimerName): Transition {
  const { stage } = state;
  if (timerStages[name] !== stage) return transitionTo(state);
  switch (stage) {
    case 'opening':
      return finishSession(
        failedEnding(appError('testSlow', { seconds: openTimeoutMs / 1000 }), 'network'),
      );
    case 'opened':
      return closeConnection(failedEnding(appError('serverSilent')));
    case 'backoff':
      return connectAttempt(state.context);
    case 'unsupported':
      return finishSession(failedEnding(appError('noChatInLegacy'), 'client'));
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

/** Handles the phase between admission and the server's confirmation of the session. */
export function transitionConfiguring(state: ConfiguringState, event: SessionInput): Transition {
  const { context } = state;
  switch (event.kind) {
    case 'server':
      return handleWhileConfiguring(state, event);
    case 'ended':
      return looksRefused(event.end) && mayNeedOtherDialect(state, event.at)
        ? tryOtherDialect(
            context,
            { silent: false, ending: endedByConnection(event.end, context, event.at) },
            { on: 'newConnection' },
          )
        : finishSession(withDialectHint(endedByConnection(event.end, context, event.at), context));
    case 'timer':
      return event.name === 'created' ? onCreatedTimeout(state) : transitionTo(state);
    case 'end':
      // Documented servers answer a `session.close` before `created` with an error.
      return closeConnection(userEnding(context.mode));
    case 'opened':
      return transitionTo(state);
    case 'command':
      return transitionTo({ ...state, context: applyCommand(context, event.command) });
  }
}

function handleWhileConfiguring(
  state: ConfiguringState,
  { event, at }: Extract<SessionInput, { kind: 'server' }>,
): Transition {
  const { context } = state;
  switch (event.kind) {
    case 'created':
      return enterLive(context, event, at);
    case 'closed': {
      const ending = endedByServer(event.reason, event.diagnostic);
      return event.reason === 'backend_error' && mayNeedOtherDialect(state, at)
        ? tryOtherDialect(context, { silent: false, ending }, { on: 'newConnection' })
        : closeConnection(withDialectHint(ending, context));
    }
    case 'error':
      return onConfiguringError(state, event, at);
    case 'unknown':
    case 'malformed':
      return transitionTo(state, emit(unreadable(event)));
    case 'queued':
    case 'admitted':
    case 'listen':
    case 'output':
    case 'done':
    case 'toolCall':
      return transitionTo(state);
  }
}

function onConfiguringError(
  state: ConfiguringState,
  error: ServerErrorEvent,
  at: number,
): Transition {
  const { context, since } = state;
  if (
    isFailedHandOver(error) &&
    at - since <= immediateRefusalMs &&
    context.failedHandOvers < maxHandOvers
  )
    // The dialect did not cause the error, so this configure does not count.
    return reconnectAfterBackoff({ ...context, configures: context.configures - 1 });
  if (isFatalError(error)) return endAfterFatalError(error);
  if (!isConfigurationError(error)) return continueAfterError(state, error, at);
  const { code, message } = error;
  const ending =
    code === 'unknown_event' && mayLackChat(context)
      ? failedEnding(appError('noChatInLegacy', {}, { detail: message }))
      : endedByServerError(code, message);
  const next = tryOtherDialect(context, { silent: false, ending }, { on: 'sameConnection', at });
  if (next.state.phase !== 'closing') return next;
  return prependEffects(
    [emit({ event: 'error', error: next.state.ending.error, fatal: true })],
    next,
  );
}

/** Deployed unified servers end the session right after the `session.update` of the legacy dialect. */
function mayNeedOtherDialect({ context, since }: ConfiguringState, at: number): boolean {
  return (
    context.dialect === 'legacy' &&
    at - since <= immediateRefusalMs &&
    otherDialect(context) !== undefined
  );
}

/** The server closed the connection, but not because it is busy or the message was too large. */
function looksRefused(end: SocketEnd): boolean {
  return end.kind === 'closed' && [1000, 1002, 1007, 1008, 1011].includes(end.code);
}

function onCreatedTimeout({ context }: ConfiguringState): Transition {
  const silent = appError(mayLackChat(context) ? 'noChatInLegacy' : 'sessionNotCreated');
  const ending = failedEnding(silent);
  return tryOtherDialect(
    context,
    { silent: true, ending: withDialectHint(ending, context) },
    { on: 'newConnection' },
  );
}

/** A configured dialect may be the wrong one, and servers do not report that. */
function withDialectHint(ending: SessionEnding, { forced, mode }: SessionContext): SessionEnding {
  if (!forced || mode === 'chat' || ending.by === 'network') return ending;
  return { ...ending, error: appError('otherDialectHint', {}, { cause: ending.error }) };
}

/** The server has created the session: sound and text may flow both ways. */
export function enterLive(context: SessionContext, created: CreatedEvent, at: number): Transition {
  const live: LiveState = {
    phase: 'live',
    context: { ...context, lastError: undefined },
    modeState: context.mode === 'chat' ? initialChatState : initialDuplexState(at),
  };
  const { dialect } = context;
  const { sessionId, runtimeMode, metrics, takesTools } = created;
  const prepared = usedContextTokens(metrics?.usage);
  // A server that has not read its instructions yet reports 0.
  const promptLength = created.promptLength ?? (prepared === 0 ? undefined : prepared);
  const entered = enterPhase(
    live,
    emit({
      event: 'session',
      id: sessionId ?? '',
      dialect,
      runtimeMode,
      promptLength,
      ...((takesTools === true || context.takesTools) && { takesTools: true }),
      ...(sendsTools(context) && { callsTools: true }),
    }),
    { do: 'rememberDialect', dialect, voiceForm: observedVoiceForm(context) },
    ...emitMetrics(created, undefined),
  );
  // The chunk is discarded first, because a listener may pass sound as soon as it learns the phase.
  return prependEffects([{ do: 'discardChunk' }, ...entered.effects], sendNextQuestion(live));
}

const initialChatState: LiveState['modeState'] = {
  kind: 'chat',
  count: 0,
  turn: 1,
  answer: undefined,
  givenUp: [],
};

function initialDuplexState(at: number): LiveState['modeState'] {
  return {
    kind: 'duplex',
    watchdogRunning: false,
    uplink: {
      count: 0,
      unanswered: [],
      waiting: [],
      echoes: false,
      answeredAt: at,
      hasAnswered: false,
      outputs: 0,
    },
    step: undefined,
    turns: {
      turn: 1,
      open: false,
      closesInStep: false,
      interrupting: false,
      interruptedAt: undefined,
      openedAt: undefined,
      voicedAt: undefined,
    },
  };
}
