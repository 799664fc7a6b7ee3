import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { isAboutSettings, sessionError, shortened } from '../../shared/errors/session-reasons.ts';
import type { ServerErrorEvent } from '../../shared/protocol/server-event.ts';
import { emit, transitionTo } from './effect.ts';
import type { Transition } from './effect.ts';
import { endedByServerError } from './session-ending.ts';
import { closeConnection } from './close-session.ts';
import type { SessionContext, SessionState } from './session-state.ts';

/** After these no session can go on, whether or not the server closes the connection itself. */
const fatalCodes: ReadonlySet<string> = new Set([
  'queue_full',
  'service_unavailable',
  'worker_busy',
  'worker_connect_failed',
  'session_failed',
]);

/** Whether the session is over with this error. */
export function isFatalError({ code }: ServerErrorEvent): boolean {
  return fatalCodes.has(code);
}

/** The next in the queue was handed a worker that is still taken: deployed gateways answer so. */
export function isFailedHandover({ code, message }: ServerErrorEvent): boolean {
  return code === 'session_failed' && message.includes('403');
}

/** The server does not know the event, or does not like what is in it. */
export function isConfigurationError({ code }: ServerErrorEvent): boolean {
  return isAboutSettings(code);
}

export function endAfterFatalError({ code, message, type }: ServerErrorEvent): Transition {
  const end = closeConnection(endedByServerError(code, message));
  return transitionTo(
    end.state,
    emit({ event: 'error', error: sessionError(code, message), fatal: true, type }),
    ...end.effects,
  );
}

/** Emitted, and kept: it may explain a close that follows. */
export function continueAfterError(
  state: Exclude<SessionState, { phase: 'closing' | 'closed' }>,
  { code, message, type }: ServerErrorEvent,
  at: number,
): Transition {
  return transitionTo(
    { ...state, context: withError(state.context, code, message, at) },
    emit({ event: 'error', error: reportedError(code, message), fatal: false, type }),
  );
}

/** It ends nothing, whatever word the server has for it. */
function reportedError(code: string, message: string): AppError {
  return appError('serverReports', { reason: shortened(code) }, { detail: shortened(message) });
}

function withError(
  context: SessionContext,
  code: string,
  message: string,
  at: number,
): SessionContext {
  return { ...context, lastError: { at, code, message } };
}
