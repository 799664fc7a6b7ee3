import {
  appError,
  type AppError,
  isSettingsReason,
  wireReason,
  refusedError,
  sessionError,
  truncateLine,
} from '../../../shared/errors/app-error.ts';
import { oversizeReason, type SocketEnd } from '../../../shared/ports/sockets.ts';
import {
  maxServerMessageBytes,
  type Mode,
  type ServerErrorEvent,
} from '../../../shared/protocol/realtime-api.ts';
import {
  type ClosingState,
  emit,
  emitMetrics,
  enterPhase,
  prependEffects,
  type SessionContext,
  type SessionInput,
  type SessionState,
  startTimer,
  type TimerName,
  type Transition,
  transitionTo,
  unreadable,
} from './session-state.ts';
import {
  endedByServerError,
  failedEnding,
  type SessionEnding,
  type SessionEvent,
  userEnding,
} from './session-event.ts';
import {
  closeReplyTimeoutMs,
  disconnectTimeoutMs,
  errorExplainsCloseMs,
} from './session-timing.ts';

/** Ends the session at once and cuts its connection. */
export function finishSession(ending: SessionEnding): Transition {
  return enterPhase({ phase: 'closed' }, { do: 'terminate' }, emit({ event: 'closed', ...ending }));
}

/** Closes the connection without a protocol message, and waits briefly for the server to close its side. */
export function closeConnection(ending: SessionEnding): Transition {
  return enterPhase(
    { phase: 'closing', stage: 'disconnecting', ending },
    { do: 'disconnect' },
    startTimer('disconnecting', disconnectTimeoutMs),
  );
}

/** Sends `session.close`, which only a created session accepts. */
export function requestClose({ mode, dialect }: SessionContext): Transition {
  const ending = userEnding(mode);
  return enterPhase(
    { phase: 'closing', stage: 'closeRequested', ending },
    { do: 'send', message: { kind: 'close', reason: wireReason(ending.error) }, dialect },
    startTimer('closeRequested', closeReplyTimeoutMs),
  );
}

/** Handles events while closing: the ending is decided, nothing is sent, and most events are ignored. */
export function transitionClosing(state: ClosingState, event: SessionInput): Transition {
  switch (event.kind) {
    case 'ended':
      return finishSession(state.ending);
    case 'server':
      if (event.event.kind === 'closed' && state.stage === 'closeRequested')
        return prependEffects(emitMetrics(event.event, undefined), closeSocket(state));
      return event.event.kind === 'unknown'
        ? transitionTo(state, emit(unreadable(event.event)))
        : transitionTo(state);
    case 'timer':
      return onTimer(state, event.name);
    case 'opened':
    case 'end':
    case 'command':
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

/** The connection ended without an announcement of the session's end. */
export function endedByConnection(
  end: SocketEnd,
  context: Pick<SessionContext, 'lastError' | 'mode'>,
  at: number,
): SessionEnding {
  switch (end.kind) {
    case 'refused':
      return failedEnding(refusedError(end.status, end.body));
    case 'unreachable': {
      const ending = failedEnding(end.error, 'network');
      return end.permanent ? { ...ending, lasting: true } : ending;
    }
    case 'closed':
      if (end.code === 1006) return failedEnding(appError('connectionLost'), 'network');
      return explainedByLastError(context, at) ?? failedEnding(closeError(end, context.mode));
  }
}

function explainedByLastError(
  { lastError }: Pick<SessionContext, 'lastError'>,
  at: number,
): SessionEnding | undefined {
  if (lastError === undefined || at - lastError.at > errorExplainsCloseMs) return undefined;
  return endedByServerError(lastError.code, lastError.message);
}

type ClosedSocket = Extract<SocketEnd, { kind: 'closed' }>;

/** The error for a close code. Only where the code says little, the reason decides, too. */
function closeError({ code, reason }: ClosedSocket, mode: Mode): AppError {
  const details = { detail: truncateLine(reason) };
  switch (code) {
    case 1000:
      return reason === '' ? appError('closedSilently') : sessionError(reason, reason);
    case 1001:
    case 1012:
      return appError('serverLeaving', {}, details);
    case 1003:
      return appError('serverCannotRead', {}, details);
    case 1008:
      return appError('notAllowed', {}, details);
    case 1009:
      return reason === oversizeReason
        ? appError('serverMessageTooLarge', { megabytes: maxServerMessageBytes[mode] / 2 ** 20 })
        : appError('messageTooLarge', {}, details);
    case 1011:
      return appError('serverFailed', {}, details);
    case 1013:
      return sessionError(busyReason(reason), reason);
    default:
      return reason === '' ? appError('closedWithCode', { code }) : sessionError(reason, reason);
  }
}

/** With close code 1013 the error event may be missing, so only the close reason is left to classify. */
function busyReason(reason: string): string {
  if (/queue/iu.test(reason)) return 'queue_full';
  if (/connect/iu.test(reason)) return 'worker_connect_failed';
  return /busy|worker/iu.test(reason) ? 'worker_busy' : 'service_unavailable';
}

/** No session can continue after these errors, even if the server does not close the connection. */
const fatalCodes: ReadonlySet<string> = new Set([
  'queue_full',
  'service_unavailable',
  'worker_busy',
  'worker_connect_failed',
  'session_failed',
]);

export function isFatalError({ code }: ServerErrorEvent): boolean {
  return fatalCodes.has(code);
}

/** Deployed gateways answer 403 if the next client in the queue got a worker that is still taken. */
export function isFailedHandOver({ code, message }: ServerErrorEvent): boolean {
  return code === 'session_failed' && message.includes('403');
}

/** The server does not know the event or rejects its settings. */
export function isConfigurationError({ code }: ServerErrorEvent): boolean {
  return isSettingsReason(code);
}

export function endAfterFatalError(error: ServerErrorEvent): Transition {
  const ending = endedByServerError(error.code, error.message);
  return prependEffects([emit(fatalError(error))], closeConnection(ending));
}

export function fatalError({ code, message, type }: ServerErrorEvent): SessionEvent {
  return { event: 'error', error: sessionError(code, message), fatal: true, type };
}

/** Emits the error and remembers it, because it may explain a close that follows. */
export function continueAfterError(
  state: Exclude<SessionState, { phase: 'closing' | 'closed' }>,
  error: ServerErrorEvent,
  at: number,
): Transition {
  const context = rememberError(state.context, error, at);
  return transitionTo({ ...state, context }, emit(reportedError(error)));
}

export function rememberError(
  context: SessionContext,
  { code, message }: ServerErrorEvent,
  at: number,
): SessionContext {
  return { ...context, lastError: { at, code, message } };
}

/** Session event for an error that does not end the session. */
export function reportedError({ code, message, type }: ServerErrorEvent): SessionEvent {
  const facts = { reason: truncateLine(code) };
  const error = appError('serverReports', facts, { detail: truncateLine(message) });
  return { event: 'error', error, fatal: false, type };
}
