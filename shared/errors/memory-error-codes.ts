import type { FactTypes } from './session-error-codes.ts';

/** Errors of what Parley knows of the user. */
export const memoryErrors = {
  memoryEmpty: {},
  memoryLong: { most: 'number' },
  memoryMany: { most: 'number' },
  memoryListFull: {},
  memoryKnown: {},
  memoryGone: {},
  memoryUnread: {},
  memoryPutAside: { path: 'string' },
  memoryNewer: {},
  memoryUnkept: {},
} as const satisfies FactTypes;
