/** Sound devices, and the files and pictures that a person gives. The facts in braces are those of the codes in `shared/errors`. */
export const englishDeviceErrors = {
  // Why a sound device is not there.
  noMicrophone: 'There is no microphone on this machine: connect one.',
  noSpeaker: 'There is no speaker on this machine: connect one.',
  soundServerGone:
    'The sound system shows no devices at all: its server may have stopped. Start it again; Parley goes on trying.',
  noSoundDevices:
    'There is no sound device on this machine: connect one, or start the sound server.',
  deviceMissing:
    'There is no device called “{{device}}” here; there are: {{known}}. Connect it, or choose another one.',
  noDeviceCalled: 'There is no device called “{{device}}” here; none is connected: connect one.',
  deviceSilent: '“{{device}}” does not answer: choose another device, or wait.',
  deviceTaken: '“{{device}}” is in use or gone. Close the other program, or choose another device.',
  deviceBroken: '“{{device}}” cannot be opened: choose another device.',
  noSound: 'There is no sound here: install Parley again.',
  soundHangs: 'The sound system does not answer: restart it, or wait; Parley goes on trying.',
  soundCrashes:
    'The sound system crashes every program that asks it. Start Parley from the account that owns the sound server. Until then Parley goes on without sound.',
  // Why microphone or speaker are not had outside a talk.
  soundNeededElsewhere:
    'Stopped before it began. Something else needs the microphone or the speaker.',
  testStopped: 'The test was stopped: something else needs the sound.',
  ownSoundGone: 'That recording is gone. Record it again.',
  testNothing:
    'Nothing came back. The speaker may be off, or the microphone muted or too far away.',
  speakerNeeded: 'The speaker is in use. End the talk or stop the recording first.',
  nothingRecorded: 'Nothing was recorded.',
  notRecording: 'Nothing is being recorded.',
  takeStopped: 'Recording stopped. The microphone was needed elsewhere, or Parley was unreachable.',
  // Why a file is no sound or picture that can be taken.
  emptyFile: 'This file is empty.',
  notWav: 'This is not a WAV file.',
  wavUnclear: 'This WAV file does not say how its sound is coded.',
  wavEmpty: 'This WAV file holds no sound.',
  wavCoded: 'This WAV file is coded as {{coding}}: convert it to plain PCM or float samples.',
  wavBroken: 'This WAV file is damaged and cannot be read.',
  wavRate: 'This WAV file says that it has {{rate}} samples a second, which cannot be.',
  soundLong: 'This WAV file lasts {{seconds}} s; it may last {{most}} s.',
  otherSound:
    'This sound is of another kind ({{kind}}). Parley takes WAV files only. Convert it first.',
  emptyPicture: 'This picture is an empty file.',
  notPicture: 'This is not a picture: give a JPEG, PNG or WebP file.',
  picturePdf: 'This is a PDF and not a picture: give a JPEG, PNG or WebP file.',
  pictureSvg: 'This is an SVG drawing: give a JPEG, PNG or WebP file.',
  otherPicture: 'This is a {{kind}} picture. Parley takes JPEG, PNG and WebP files.',
  pictureBroken: 'This picture is broken: it cannot be decoded.',
  pictureLarge:
    'This picture is too large ({{width}} × {{height}} pixels). The limit is 50 million.',
  pictureMoves: 'This picture moves; the model sees its first frame.',
  pictureSlow: 'This picture takes too long to read: give a smaller one.',
  picturesStopped: 'Can’t read pictures at the moment. Try again in a minute.',
  noPictures: 'Pictures cannot be read here: install Parley again ({{error}}).',
  pictureHeavy:
    '{{name}} is too large: a picture may have {{most}} MB, and this file has {{size}} MB.',
  soundHeavy: '{{name}} is too large: a sound may have {{most}} MB, and this file has {{size}} MB.',
  frameBroken: 'This frame is broken: it cannot be decoded.',
  frameNotJpeg: 'This frame is not a JPEG.',
  frameHeavy: 'This frame is too large: it has {{size}} bytes, and {{most}} are the most.',
  frameLarge: 'This frame is too large: it has {{width}} × {{height}} pixels.',
  screenUnasked:
    'Parley lists screens and windows only when you ask for it: choose what to show once more.',
  screenForbidden:
    'The system does not let Parley look at the screen: allow it in the system’s settings.',
  // Why a reference voice cannot be made, named or used.
  voiceStandsIn: 'This talk goes on in the server’s own voice: choose another one in the settings.',
  voiceGone: 'There is no such voice any more.',
  voiceUnheard: 'No voice can be heard in it: check the microphone and speak closer to it.',
  voiceShort: 'There are only {{seconds}} s of speech in it; a voice needs at least {{least}} s.',
  voiceNameless: 'A voice needs a name.',
  voiceNameLong: 'The name of a voice may have {{most}} characters.',
  voiceNameHidden: 'The name has characters in it that cannot be shown.',
  voiceNameTaken: 'There is a voice called “{{name}}” already.',
} as const;
