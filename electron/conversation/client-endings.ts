import type { SessionEvent } from '../session/session-event.ts';

type Closed = Extract<SessionEvent, { event: 'closed' }>;

/** Ended while no session was there that could have told it. */
export const endedByUser: Closed = {
  event: 'closed',
  reason: 'user_stop',
  by: 'client',
  message: 'You ended the conversation.',
  orderly: true,
};

export const lostInSleep: Closed = {
  event: 'closed',
  reason: 'connection_lost',
  by: 'network',
  message:
    'This machine slept, and the connection is gone. Connect again if Parley does not by itself.',
  orderly: false,
};
