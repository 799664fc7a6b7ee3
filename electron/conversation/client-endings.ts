import { appError } from '../../shared/errors/app-error.ts';
import type { SessionEvent } from '../session/session-event.ts';

type Closed = Extract<SessionEvent, { event: 'closed' }>;

/** Ended while no session was there that could have told it. */
export const endedByUser: Closed = {
  event: 'closed',
  error: appError('endedByPerson'),
  by: 'client',
  orderly: true,
};

export const lostInSleep: Closed = {
  event: 'closed',
  error: appError('lostInSleep'),
  by: 'network',
  orderly: false,
};
