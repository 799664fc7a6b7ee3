import type { ServerError } from '../../shared/protocol/server-event.ts';
import { tell, to } from './effect.ts';
import type { Transition } from './effect.ts';
import { endedByError } from './endings.ts';
import { hangUp } from './leaving.ts';
import type { Course, SessionState } from './state.ts';

/** After these no session can go on, whether or not the server closes the line itself. */
const fatalCodes: ReadonlySet<string> = new Set([
  'queue_full',
  'service_unavailable',
  'worker_busy',
  'worker_connect_failed',
  'session_failed',
]);

export function isFatal({ code }: ServerError): boolean {
  return fatalCodes.has(code);
}

/** The next in the queue was handed a worker that is still taken: deployed gateways answer so. */
export function isFailedHandover({ code, message }: ServerError): boolean {
  return code === 'session_failed' && message.includes('403');
}

/** The server does not know the event, or does not like what is in it. */
export function isRefusal({ code }: ServerError): boolean {
  return /^(?:unknown|invalid|missing|unsupported)_/u.test(code);
}

export function endFatally({ code, message }: ServerError): Transition {
  const end = hangUp(endedByError(code, message));
  return to(end.state, tell({ event: 'error', code, message, fatal: true }), ...end.effects);
}

/** Told, and kept: it may explain a close that follows. */
export function goOnAfter(
  state: Exclude<SessionState, { phase: 'closing' | 'closed' }>,
  { code, message }: ServerError,
  at: number,
): Transition {
  return to(
    { ...state, course: withError(state.course, code, message, at) },
    tell({ event: 'error', code, message, fatal: false }),
  );
}

function withError(course: Course, code: string, message: string, at: number): Course {
  return { ...course, lastError: { at, code, message } };
}
