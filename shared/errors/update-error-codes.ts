import type { FactTypes } from './fact-types.ts';

/** Why there is no new version; the one that runs is as it was. */
export const updateErrors = {
  updateServerAway: { host: 'string' },
  updateServerRefuses: { host: 'string', status: 'number' },
  updateServerSlow: { host: 'string' },
  updateRedirected: { host: 'string' },
  updateUnsigned: { host: 'string' },
  updateFeedDamaged: { host: 'string' },
  updateFeedExpired: { date: 'string' },
  updateFeedOlder: { date: 'string' },
  updateFileMissing: { version: 'string' },
  updateCutShort: { version: 'string' },
  updateAltered: { version: 'string' },
  updateUnpackable: { version: 'string' },
  updateNotStarting: { version: 'string' },
  updateOtherVersion: { version: 'string', found: 'string' },
  updatePlaceClosed: { path: 'string' },
  updateNotSwapped: { version: 'string' },
  updatePreviousGone: {},
} as const satisfies FactTypes;
