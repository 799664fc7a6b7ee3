import { appError } from '../../shared/errors/app-error.ts';
import type { SessionEvent } from '../session/session-event.ts';

type Closed = Extract<SessionEvent, { event: 'closed' }>;

/** Ended by the person while no session was there to emit it. */
export const endedByUser: Closed = {
  event: 'closed',
  error: appError('endedByPerson'),
  by: 'client',
  orderly: true,
};

/** The connection did not survive a sleep of the machine. */
export const lostInSleep: Closed = {
  event: 'closed',
  error: appError('lostInSleep'),
  by: 'network',
  orderly: false,
};
