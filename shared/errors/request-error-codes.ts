import type { FactTypes } from './session-error-codes.ts';

/** Why a request came to nothing before anybody looked at what it is about. */
export const requestErrors = {
  disconnected: {},
  internalError: { error: 'string' },
  notUnderstood: {},
  noWindows: {},
  unknownRequest: { name: 'string' },
  notOurPage: {},
  coreUnloaded: {},
} as const satisfies FactTypes;

/** Why something cannot be done with a talk now, or is missing of its tape. */
export const talkErrors = {
  noTalk: {},
  talkStarting: {},
  talkStartingAlready: {},
  talkGoingOn: {},
  noEndedTalk: {},
  shuttingDown: {},
  talkHasSound: {},
  talkKeyAway: {},
  talkKeyLost: {},
  talkKeyLocked: {},
  talkKeyHeld: { minutes: 'number' },
  globalKeyNoDesktop: {},
  globalKeyNowhere: {},
  globalKeyUnset: {},
  globalKeyEnded: { times: 'number' },
  tapeGap: {},
  tapeFailed: {},
  tapeLost: {},
  tapeLowSpace: { megabytes: 'number' },
} as const satisfies FactTypes;

/** Why a tape is not played again, or nothing can be done with the one that is. */
export const replayErrors = {
  noReplay: {},
  replayTapeGone: {},
  replayOfChat: {},
  replayPathless: {},
  comparedKinds: {},
  rerunOfNothing: {},
  rerunGoesOn: {},
  rerunStopped: {},
} as const satisfies FactTypes;

/** Why something cannot be done in a written conversation, or is missing of it. */
export const chatErrors = {
  chatGone: {},
  chatElsewhere: {},
  mediaGone: {},
  mediaLost: {},
  messageGone: {},
  questionGone: {},
  beforeGone: {},
  speechGone: {},
  noPlayer: {},
  answerComing: {},
  answerVoiceGone: {},
  nothingToSend: {},
  textLong: {},
  clipLong: { most: 'number' },
  tooMuch: { tokens: 'number', most: 'number' },
  pictureMissing: {},
  soundMissing: {},
  chatDamaged: { path: 'string' },
  chatsUnkept: {},
  deletionPostponed: { days: 'number', wait: 'number' },
} as const satisfies FactTypes;

/** Why the desktop app does not do what was asked of it outside its windows. */
export const desktopErrors = {
  linkUnknown: {},
  linkPresetUnknown: {},
  autostartFailed: { path: 'string' },
  linksFailed: { path: 'string' },
  linksNotHere: {},
  noTray: {},
} as const satisfies FactTypes;

/** Why the embedded server cannot listen. */
export const gatewayErrors = {
  portTaken: { port: 'number', host: 'string' },
  portForbidden: { port: 'number' },
  noSuchLocalAddress: { host: 'string' },
  cannotListen: { host: 'string', port: 'number' },
} as const satisfies FactTypes;

/** Why a command for the Parley that runs is not heard or not done. */
export const remoteErrors = {
  commandsPathLong: { path: 'string' },
  commandsUnheard: { path: 'string' },
  commandUnknown: {},
  microphoneOpen: {},
} as const satisfies FactTypes;

/** Why a sound device is not there. */
export const deviceErrors = {
  noMicrophone: {},
  noSpeaker: {},
  noSoundDevices: {},
  soundServerGone: {},
  deviceMissing: { device: 'string', known: 'string' },
  noDeviceCalled: { device: 'string' },
  deviceSilent: { device: 'string' },
  deviceTaken: { device: 'string' },
  deviceBroken: { device: 'string' },
  noSound: {},
  soundHangs: {},
  soundCrashes: {},
} as const satisfies FactTypes;

/** Why microphone or speaker are not had outside a talk. */
export const soundErrors = {
  soundNeededElsewhere: {},
  testStopped: {},
  ownSoundGone: {},
  testNothing: {},
  speakerNeeded: {},
  nothingRecorded: {},
  notRecording: {},
  takeStopped: {},
} as const satisfies FactTypes;

/** Why a file is no sound or picture that can be taken. */
export const mediaErrors = {
  emptyFile: {},
  notWav: {},
  wavUnclear: {},
  wavEmpty: {},
  wavCoded: { coding: 'string' },
  wavBroken: {},
  wavRate: { rate: 'number' },
  soundLong: { seconds: 'number', most: 'number' },
  otherSound: { kind: 'string' },
  emptyPicture: {},
  notPicture: {},
  picturePdf: {},
  pictureSvg: {},
  otherPicture: { kind: 'string' },
  pictureBroken: {},
  pictureLarge: { width: 'number', height: 'number' },
  pictureMoves: {},
  pictureSlow: {},
  picturesStopped: {},
  noPictures: { error: 'string' },
  pictureHeavy: { name: 'string', most: 'number', size: 'number' },
  soundHeavy: { name: 'string', most: 'number', size: 'number' },
  frameBroken: {},
  frameNotJpeg: {},
  frameHeavy: { size: 'number', most: 'number' },
  frameLarge: { width: 'number', height: 'number' },
  screenForbidden: {},
  screenUnasked: {},
} as const satisfies FactTypes;

/** Why a reference voice cannot be made, named or used. */
export const voiceErrors = {
  voiceGone: {},
  voiceStandsIn: {},
  voiceUnheard: {},
  voiceShort: { seconds: 'number', least: 'number' },
  voiceNameless: {},
  voiceNameLong: { most: 'number' },
  voiceNameHidden: {},
  voiceNameTaken: { name: 'string' },
} as const satisfies FactTypes;

/** Why a key is not heard while another program has the keyboard. */
export const globalKeyErrors = {
  globalKeyUnknown: {},
  globalKeyTaken: {},
  globalKeyAlone: {},
  globalKeyForbidden: {},
  globalKeyHelperFailed: {},
  globalKeyPortalMissing: {},
  globalKeyPortalRefused: {},
} as const satisfies FactTypes;
