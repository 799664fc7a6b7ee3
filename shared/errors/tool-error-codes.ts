import type { FactTypes } from './session-error-codes.ts';

/** Errors of tools. */
export const toolErrors = {
  toolCallGone: {},
  toolPathOutside: { path: 'string' },
  toolNotText: { path: 'string' },
  toolPlacesMany: { most: 'number' },
  toolNoDialog: {},
  // Servers.
  toolServersUnread: {},
  toolServersMany: { most: 'number' },
  toolServerUnread: { name: 'string' },
  toolServerAddress: { name: 'string' },
  toolServerPlaceholder: { name: 'string' },
  toolFileLink: { path: 'string' },
  toolFileLarge: { path: 'string' },
  toolServerDenied: { name: 'string' },
  toolServerGone: {},
  toolServerStopped: { name: 'string' },
  toolServerEnded: { name: 'string' },
  toolServerSlow: { name: 'string', seconds: 'number' },
  toolServerFloods: { name: 'string' },
  toolServerFailed: { name: 'string', error: 'string' },
  toolProgramMissing: { name: 'string' },
  toolGone: { name: 'string', tool: 'string' },
  toolChanged: { name: 'string', tool: 'string' },
  // Requests in a talk.
  requestNoTools: {},
  requestIncognito: {},
  requestNoWords: {},
  requestUnclear: {},
  requestRunning: {},
  requestOnComputer: {},
  requestNoPlace: {},
  requestSlow: { seconds: 'number' },
  remindersMany: { most: 'number' },
  reminderGone: {},
} as const satisfies FactTypes;
