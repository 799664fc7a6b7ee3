import type { FactTypes } from './fact-types.ts';

/** Why something of the history cannot be shown, kept or deleted. */
export const historyErrors = {
  notTalkRecord: { path: 'string' },
  talkRecordNewer: { path: 'string' },
  talkRecordGone: {},
  talkEndUnknown: {},
  talkUnkept: {},
  nothingAsked: {},
  historyIndexLost: {},
  pictureGone: {},
  ownWordsGone: {},
  ownWordsTooMany: {},
  tapeInUse: {},
  recentNotHeld: {},
} as const satisfies FactTypes;
