import type { FactTypes } from './session-error-codes.ts';

/** Errors of tools. */
export const toolErrors = {
  toolCallGone: {},
  toolPathOutside: { path: 'string' },
  toolNotText: { path: 'string' },
  toolPlacesMany: { most: 'number' },
  toolNoDialog: {},
  remindersMany: { most: 'number' },
  reminderGone: {},
} as const satisfies FactTypes;
