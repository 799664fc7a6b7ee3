import type { FactTypes } from './session-error-codes.ts';

/** Errors of the small window over other programs. */
export const cursorErrors = {
  cursorElsewhere: {},
  cursorNoTalk: {},
  cursorRegionGone: {},
  cursorActionGone: {},
  cursorNothingSelected: {},
  cursorActionsUnread: {},
  cursorActionsMany: { most: 'number' },
  cursorTargetGone: {},
  cursorTargetUnknown: {},
  cursorKeysFailed: {},
  cursorKeysRefused: {},
  cursorTextLong: {},
} as const satisfies FactTypes;
