import type { FactTypes } from './session-error-codes.ts';

/** Why a file or folder of Parley's own cannot be used. */
export const fileErrors = {
  logUnwritten: { path: 'string' },
  fileGone: { path: 'string' },
  notFolder: { path: 'string' },
  isFolder: { path: 'string' },
  notOrdinaryFile: { path: 'string' },
  noPermission: { path: 'string' },
  readOnly: { path: 'string' },
  diskFull: { path: 'string' },
  tooManyOpen: { path: 'string' },
  pathTooLong: { path: 'string' },
  fileTooLarge: { path: 'string' },
  fileUnusable: { path: 'string', error: 'string' },
  notText: { path: 'string' },
  folderNotEmpty: { path: 'string' },
  fileFull: { path: 'string', limit: 'string' },
  fileOverLimit: { path: 'string', limit: 'string' },
  stdinTooLong: {},
  tooManyDamaged: { path: 'string' },
} as const satisfies FactTypes;

/** Why a tape cannot be read. */
export const tapeErrors = {
  notTape: { path: 'string' },
  tapeUnplayable: { path: 'string' },
  tapeOfOthers: {},
  tapeVersion: { version: 'string' },
  tapeModeless: {},
  tapeLineDamaged: { line: 'number' },
  tapeUnfinished: {},
  tapeIsStretch: {},
  tapeStretchBeyond: { path: 'string', seconds: 'number' },
  tapeStretchEmpty: { path: 'string' },
  tapeTooLong: { line: 'number' },
  tapeFileOutside: { name: 'string' },
  tapeReferenceBroken: {},
  tapeNothingToMend: { path: 'string' },
  tapeExportWordless: { path: 'string' },
  ffmpegMissing: {},
  ffmpegFailed: {},
  exportStopped: {},
  exportGoesOn: {},
  exportFormless: {},
  nothingExported: {},
  reportGone: {},
  zipTooLarge: { path: 'string' },
  tapeFilesMissing: { count: 'number' },
  tapeSoundShort: { path: 'string' },
  tapeSoundUnreadable: { name: 'string' },
  tapeSoundChanged: { name: 'string' },
} as const satisfies FactTypes;

/** What is wrong with an address, or with what goes along with it. */
export const addressErrors = {
  addressEmpty: {},
  noScheme: { address: 'string' },
  otherScheme: { scheme: 'string' },
  userInAddress: { address: 'string' },
  hashInAddress: { address: 'string' },
  spaceInAddress: { address: 'string' },
  noHost: { address: 'string' },
  badPort: { address: 'string', port: 'string' },
  headerForm: {},
  headerReserved: { name: 'string' },
  headerCharacters: { name: 'string' },
  headerAuthorization: {},
  queryForm: {},
  queryMode: {},
  fingerprintForm: {},
  configForm: {},
  fingerprintPlain: {},
  tokenForm: {},
  tokenTwice: {},
} as const satisfies FactTypes;

/** Why a server cannot be changed or used as it is set. */
export const serverErrors = {
  serverGone: {},
  demonstrationStays: {},
  demonstrationBroken: {},
  valueMissing: {},
  otherServer: {},
  serverNotConfirmed: { server: 'string' },
  addressChanged: {},
  tokenGone: { name: 'string' },
  valuesGone: { name: 'string' },
  keychainRefuses: {},
  keychainElsewhere: {},
  keychainAway: {},
  keychainClosed: {},
} as const satisfies FactTypes;

/** What became of settings that could not be read, taken or kept. */
export const settingsErrors = {
  settingsUnread: {},
  settingsUnreadRestored: {},
  settingsNewer: {},
  settingsPartly: { places: 'string' },
  settingsPartlyRestored: { places: 'string' },
  leftToNewer: {},
  putAside: { path: 'string' },
  notPutAside: {},
  changesUnkept: {},
  valuesStay: {},
  settingNotAllowed: { place: 'string' },
} as const satisfies FactTypes;

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
  ownWordsServerGone: {},
  ownWordsBusy: {},
  tapeInUse: {},
  recentNotHeld: {},
} as const satisfies FactTypes;

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
