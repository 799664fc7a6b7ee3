import type { TapeEvent } from '../../../shared/replay/tape-event.ts';

/** What is true until another one of its kind comes: a tape that begins in the middle of a talk begins with the latest of each. */
export const standingEvents: ReadonlySet<string> = new Set([
  'began',
  'controls',
  'devices',
  'floor',
] satisfies readonly TapeEvent['kind'][]);
