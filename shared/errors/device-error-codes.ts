import type { FactTypes } from './fact-types.ts';

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
