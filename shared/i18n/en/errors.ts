import { type AppError, errorMessage, type ErrorTable } from '../../errors/app-error.ts';
import { englishServerErrors } from './server-errors.ts';
import { englishStorageErrors } from './storage-errors.ts';

export const englishErrors: ErrorTable = {
  said: 'The server says: {{said}}',
  andThen: '{{first}} {{next}}',
  codes: {
    ...englishServerErrors,
    // The placeholders are the facts of the codes in `shared/errors`.
    // Sound devices that are missing or fail, and the computer's sound.
    noMicrophone: 'There is no microphone on this machine. Connect one.',
    noSpeaker: 'There is no speaker on this machine. Connect one.',
    soundServerGone:
      'The sound server has stopped, or the default device is gone. Start the server, or connect the device. Parley keeps trying.',
    noSoundDevices:
      'There is no sound device on this machine. Connect one, or start the sound server.',
    deviceMissing:
      'There is no device called “{{device}}” here, only {{known}}. Connect it, or choose another one.',
    noDeviceCalled: 'There is no device called “{{device}}” here, and no other one. Connect one.',
    deviceSilent: '“{{device}}” does not answer. Choose another device, or wait.',
    deviceTaken:
      '“{{device}}” is in use or gone. Close the other program, or choose another device.',
    deviceBroken: '“{{device}}” cannot be opened. Choose another device.',
    noSound: 'Parley’s sound library cannot be loaded. Install Parley again.',
    soundHangs: 'The sound system does not answer. Restart it, or wait. Parley keeps trying.',
    soundCrashes:
      'The sound system crashes every program that uses it. Start Parley from the account that owns the sound server. Until then Parley runs without sound.',
    computerSoundUnsupported: 'Parley cannot hear what this system plays.',
    computerSoundFailed:
      'What this computer plays cannot be heard. Check that the sound server runs, then turn it on again.',
    computerSoundProgramMissing:
      'To hear what this computer plays, Parley needs the program “parec”. Install the package pulseaudio-utils.',
    // Sound outside a talk.
    soundNeededElsewhere:
      'Stopped before it began. Something else needs the microphone or the speaker.',
    testStopped: 'The test was stopped, because something else needs the sound.',
    ownSoundGone: 'That recording is gone. Record it again.',
    testNothing:
      'Nothing came back. The speaker may be off, or the microphone muted or too far away.',
    speakerNeeded: 'The speaker is in use. End the talk or stop the recording first.',
    nothingRecorded: 'Nothing was recorded.',
    notRecording: 'Nothing is being recorded.',
    takeStopped:
      'Recording stopped. The microphone was needed elsewhere, or Parley was unreachable.',
    // Unusable sounds, pictures and frames, and screens that cannot be shown.
    emptyFile: 'This file is empty.',
    notWav: 'This is not a WAV file.',
    wavUnclear: 'This WAV file does not say how its sound is coded.',
    wavEmpty: 'This WAV file holds no sound.',
    wavCoded: 'This WAV file is coded as {{coding}}. Convert it to plain PCM or float samples.',
    wavBroken: 'This WAV file is damaged and cannot be read.',
    wavRate: 'This WAV file claims to have {{rate}} samples a second, which is impossible.',
    soundLong: 'This WAV file lasts {{seconds}} s. The limit is {{most}} s.',
    otherSound:
      'This sound has another format ({{kind}}). Parley takes WAV files only. Convert it first.',
    emptyPicture: 'This picture is an empty file.',
    notPicture: 'This is not a picture. Give a JPEG, PNG or WebP file.',
    notAttachable: 'This is not a picture or a sound. Give a JPEG, PNG, WebP or WAV file.',
    picturePdf: 'This is a PDF and not a picture. Give a JPEG, PNG or WebP file.',
    pictureSvg: 'This is an SVG drawing. Give a JPEG, PNG or WebP file.',
    otherPicture: 'This is a {{kind}} picture. Parley takes JPEG, PNG and WebP files.',
    pictureBroken: 'This picture is broken and cannot be decoded.',
    pictureLarge:
      'This picture is too large ({{width}} × {{height}} pixels). The limits are 50 million pixels and 65,535 a side.',
    pictureMoves: 'This picture is animated. The model sees only its first frame.',
    pictureSlow: 'This picture takes too long to read. Give a smaller one.',
    picturesStopped: 'Can’t read pictures at the moment. Try again in a minute.',
    noPictures: 'Pictures cannot be read here ({{error}}). Install Parley again.',
    pictureHeavy:
      '{{name}} is too large. A picture may have {{most}} MB, and this file has {{size}} MB.',
    soundHeavy:
      '{{name}} is too large. A sound may have {{most}} MB, and this file has {{size}} MB.',
    frameBroken: 'This frame is broken and cannot be decoded.',
    frameNotJpeg: 'This frame is not a JPEG.',
    frameHeavy: 'This frame is too large. It has {{size}} bytes, and the limit is {{most}}.',
    frameLarge: 'This frame is too large. It has {{width}} × {{height}} pixels.',
    screenUnasked:
      'Parley looks at the screen and at other programs only when you ask for it. Ask once more.',
    screenForbidden:
      'The system does not let Parley look at the screen. Allow it in the system’s settings.',
    // Reference voices.
    voiceStandsIn: 'This talk has the server’s default voice. Choose another one in the settings.',
    voiceGone: 'This voice no longer exists.',
    voiceUnheard: 'The recording contains no voice. Check the microphone and speak closer to it.',
    voiceShort:
      'The recording contains only {{seconds}} s of speech. A voice needs at least {{least}} s.',
    voiceNameless: 'A voice needs a name.',
    voiceNameLong: 'The name of this voice is too long. The limit is {{most}} characters.',
    voiceNameHidden: 'The name has characters that cannot be shown.',
    voiceNameTaken: 'A voice called “{{name}}” already exists.',
    // The global key.
    globalKeyUnknown: 'This key cannot be heard in other programs. Choose another one.',
    globalKeyTaken: 'Another program uses this key. Choose another one, or free it there.',
    globalKeyAlone:
      'This key would stop working in other programs. Add Ctrl or Alt, or use F1 to F24.',
    globalKeyTwice: 'Another of Parley’s keys uses this one. Choose a different key.',
    globalKeyForbidden:
      'The system blocks keys from other programs. Allow it in its settings, under Accessibility.',
    globalKeyHelperFailed:
      'Keys from other programs can’t be heard. In the system’s keyboard settings, set a key for “parley ptt toggle”.',
    globalKeyPortalMissing:
      'This desktop does not pass keys to programs. In its keyboard settings, set a key for “parley ptt toggle”.',
    globalKeyPortalRefused:
      'The desktop refused this key. Allow it when it asks, or in its keyboard settings.',
    ...englishStorageErrors,
    // Rejected requests.
    disconnected: 'Parley cannot be reached at the moment.',
    internalError:
      'Parley could not do this. This is an error in Parley. Please report it: {{error}}',
    notUnderstood: 'Parley can’t use this. Something in it is too long, too large or not allowed.',
    noWindows: 'Only the desktop app has separate windows. This page is a browser tab.',
    unknownRequest: 'Parley does not know the request “{{name}}”. Reload the page.',
    notOurPage: 'Parley answers only its own windows.',
    coreLoadFailed: 'Parley could not be loaded. Install it again.',
    // Talks, their keys and their tapes.
    noTalk: 'There is no talk. Start one first.',
    talkStarting: 'The talk is still starting. Try again in a moment.',
    talkStartingAlready: 'A talk is already starting.',
    talkGoingOn: 'A talk is running. End it first.',
    noEndedTalk: 'No talk has ended here.',
    shuttingDown: 'Parley is being closed.',
    talkHasSound: 'A talk is using the microphone and the speaker. End it first.',
    talkKeyAway:
      'Another program got the keyboard, so the microphone was closed. Press the key again to continue.',
    talkKeyLost:
      'Parley can no longer tell whether the talk key is held, so the microphone was closed. Press the key again to continue.',
    talkKeyLocked:
      'The screen locked or the computer slept while the talk key was held. The microphone was closed.',
    talkKeyHeld:
      'The talk key was held for {{minutes}} minutes, so the microphone was closed. Press the key again to continue.',
    globalKeyNoDesktop: 'Only the desktop app hears a key in other programs.',
    globalKeyNowhere:
      'This system does not pass keys of other programs to Parley. In its keyboard settings, set one for “parley ptt toggle”.',
    globalKeyUnset: 'No key is chosen. Choose one.',
    globalKeyEnded:
      'The helper that listens for the key stopped {{times}} times in a row and is not restarted.',
    tapeGap: 'A part of this talk could not be recorded, so its recording has a gap.',
    tapeFailed: 'This talk cannot be recorded.',
    // Replays and comparisons, and tapes that cannot go on.
    noReplay: 'No recording is open. Open one first.',
    replayTapeGone: 'This recording is no longer there.',
    replayOfChat: 'This is the recording of a chat. Play it with “parley replay” in a terminal.',
    notARecording: 'This cannot be opened as a recording. Drop its folder or its file.',
    comparedKinds: 'A talk can’t be compared with a chat.',
    rerunOfNothing:
      'Nothing was said or asked on this recording, so there is nothing to send again.',
    rerunGoesOn:
      'A recording is already being sent to a server. Wait until that is finished, or stop it.',
    rerunStopped: 'It was stopped before its end.',
    rerunNotRecorded: 'The new answers could not be recorded, so Parley stopped asking for them.',
    tapeLost: 'The folder of this recording is gone, with everything recorded so far.',
    tapeLowSpace:
      'Only {{megabytes}} MB of disk left, too little for ten minutes of recording. Free some space.',
    // Chats.
    chatGone: 'This chat is gone.',
    chatElsewhere: 'Another chat was opened meanwhile. Open this one and send again.',
    mediaGone: 'This picture or sound is no longer there.',
    mediaLost: 'A picture or sound of this chat is gone. Delete that message, or start a new chat.',
    messageGone: 'This message is no longer there.',
    questionGone: 'The question to this answer is no longer there.',
    branchGone: 'What was here before is no longer there.',
    speechGone: 'The speech of this answer is no longer kept. Ask again to hear it.',
    noPlayer: 'There is no speaker to play it on.',
    answerComing: 'An answer is still coming. Wait for its end or stop it first.',
    answerVoiceGone: 'The voice that is chosen for answers is no longer there. Choose another one.',
    nothingToSend: 'There is nothing to send yet. Write something or attach a picture or a sound.',
    textLong: 'This text is too long. A message may have 1,000,000 characters. Send it in parts.',
    clipLong: 'The recording is too long. The limit is {{most}} seconds.',
    tooMuch:
      'Too much for the model’s memory. It needs about {{tokens}} tokens, and {{most}} fit. Attach less, turn off tools, or shorten the system message or the answer’s length.',
    pictureMissing: 'A picture of this chat is missing.',
    soundMissing: 'A sound of this chat is missing.',
    chatDamaged: 'A saved chat was damaged. It was moved to {{path}}. All others are here.',
    deletionPostponed:
      'This computer’s date is {{days}} days later than when Parley last ran. If that is right, do nothing. Old chats and recordings are kept for {{wait}} more days of use.',
    chatsNotStored:
      'Your chats are safe while Parley runs, but they are not saved until this is fixed.',
    // Links, autostart and tray.
    linkUnknown: 'The link was not opened. Parley only takes links that start a talk.',
    linkPresetUnknown: 'The link was not opened. It names a role that Parley does not have.',
    autostartFailed:
      'Parley could not be set to start with the computer: {{path}} cannot be written.',
    linksFailed: 'Parley could not be set to open its links: {{path}} cannot be written.',
    linksNotHere: 'Only the desktop app can be registered for links.',
    noTray:
      'This desktop shows no tray, so Parley stays in its list of windows. You can change what closing does under Settings, Desktop.',
    // The embedded server.
    portTaken: 'Port {{port}} on {{host}} is in use. Choose another port, or 0 for any free one.',
    portForbidden: 'Port {{port}} needs administrator rights. Choose a port above 1023.',
    noSuchLocalAddress:
      'This machine has no address {{host}}. Omit the host to listen on loopback.',
    cannotListen: 'The gateway cannot listen on {{host}}, port {{port}}.',
    // Commands to a running Parley.
    commandsPathLong: 'Remote commands are off: {{path}} is too long for a socket.',
    commandsUnheard: 'Remote commands are off: {{path}} cannot be opened.',
    commandUnknown: 'The running Parley does not know this command. Restart it.',
    microphoneOpen: 'The microphone is always open. To use a talk key, choose another mic mode.',
    // Quick ask and the other actions of the small window.
    cursorElsewhere: 'Only the desktop app works in other programs.',
    cursorNoTalk: 'No talk with pictures is running. Start one with the camera or a screen.',
    cursorRegionGone: 'The picture of the screen is gone. Take it again.',
    cursorActionGone: 'That action no longer exists.',
    cursorNothingSelected: 'Nothing is selected. Select a text first, or copy one.',
    cursorActionsUnread: 'This is not a file of actions. Export one to see its form.',
    cursorActionsMany: 'There would be more than {{most}} actions. Delete some first.',
    // Why a text could only be copied; the window adds that it was, and what to do.
    cursorTargetGone: 'The other window is gone.',
    cursorNoTarget: 'No other program was in front.',
    cursorTargetUnknown: 'Parley cannot paste on this desktop.',
    cursorKeysFailed: 'The other program did not take the text.',
    cursorKeysRefused: 'The desktop did not let Parley press keys.',
    cursorTextLong: 'The text is too long to put it there.',
    cursorQuestionLong: 'This is too long for a quick question. Ask it in Chat.',
    // The memory: sentences about the user.
    memoryEmpty: 'There is nothing to remember. Write a sentence.',
    memoryLong: 'This is too long to remember. Write {{most}} characters at most.',
    memoryMany: 'Parley remembers {{most}} sentences at most. Delete one first.',
    memoryListFull: 'The memory is full. Shorten, turn off or delete a sentence first.',
    memoryKnown: 'Parley remembers this already.',
    memoryGone: 'Parley no longer remembers this sentence.',
    memoryUnread: 'The memory could not be read.',
    memoryPutAside: 'A part of the memory was damaged. The old file is kept as {{path}}.',
    memoryNewer: 'A newer Parley wrote the memory. Update Parley to use it.',
    memoryNotStored: 'The memory was not changed.',
    // Tools, tool servers, requests in a talk, and reminders.
    toolCallGone: 'Parley no longer waits for this. Ask again if you still need it.',
    toolPathOutside: 'You have not shared {{path}}. Share it in Settings, Tools.',
    toolNotText: '{{path}} is not a text file. Parley reads only text.',
    toolPlacesMany: 'You share {{most}} places already. Stop sharing one first.',
    toolNoDialog: 'Only the desktop app can share files. Open Parley there.',
    toolServersUnread:
      'This names no servers. It must be JSON with “mcpServers”, as other assistants use it.',
    toolServersMany: 'There would be more than {{most}} servers. Remove some first.',
    toolServerUnread: 'The server {{name}} is not complete. It needs a “command” or a “url”.',
    toolServerAddress:
      'The address of {{name}} must begin with https://. Only this computer may use http://.',
    toolServerPlaceholder:
      '{{name}} has a place for a secret, such as ${…}. Paste it above with the secret.',
    toolServerLong:
      'The command of {{name}} is too long to show it to you in full. Put it into a script.',
    toolServerUrlLong:
      'The address of {{name}} is too long to show it to you in full. Use a shorter one.',
    toolFileLink: '{{path}} is a link to another file. Choose that file with “Import from a file”.',
    toolFileLarge: '{{path}} is too large. Paste its servers above.',
    toolServerDenied: 'Not added, because you did not allow it: {{name}}.',
    toolServerGone: 'That server was removed.',
    toolServerStopped: '{{name}} was stopped. Try again.',
    toolServerEnded: '{{name}} ended by itself. Try again, or start it in a terminal to see why.',
    toolServerSlow: '{{name}} did not answer within {{seconds}} seconds. Try again.',
    toolServerFloods: '{{name}} sent too much, so Parley ended it.',
    toolServerFailed: '{{name}} failed: {{error}}',
    toolProgramMissing:
      'The program of {{name}} was not found. Install it, or write its full path.',
    toolGone: '{{name}} no longer has {{tool}}. Look at its tools in Settings, Tools.',
    toolChanged:
      '{{name}} changed {{tool}}. Look at it in Settings, Tools, and switch it on again.',
    requestNoTools: 'No tools are on for talks. Turn them on in Settings, Tools.',
    requestIncognito: 'Parley uses no tools in an incognito talk. Ask in Chat.',
    requestNoWords: 'Parley heard nothing lately. Say what to do, or write it.',
    requestUnclear: 'Parley could not make out your words. Say it again, or write it.',
    requestRunning: 'Parley is still busy with your last request. Ask again after it.',
    requestOnComputer:
      'The model on this computer cannot use tools beside this talk. On a large card, ask something in Chat, then try again.',
    requestNoPlace: 'The server has no free place beside the talk. Ask again later.',
    requestSlow: 'This took more than {{seconds}} seconds, so Parley stopped it. Ask again.',
    remindersMany: 'You have {{most}} reminders already. Cancel one first.',
    reminderGone: 'There is no such reminder. It may be over.',
    toolsUnread:
      'The list of tools was damaged. Add your tool servers and shared files again in Settings, Tools.',
    toolsPutAside:
      'The list of tools was damaged. Add your tool servers and shared files again in Settings, Tools. The old file is kept as {{path}}.',
    remindersUnread: 'The reminders were damaged, so there are none now.',
    remindersPutAside: 'The reminders were damaged. The old file is kept as {{path}}.',
  },
};

/** In English, for the terminal and other texts that are not translated. */
export function englishErrorMessage(error: AppError): string {
  return errorMessage(error, englishErrors);
}

/** Adds technical details, for the log. */
export function describeAppError(error: AppError): string {
  const message = englishErrorMessage(error);
  const details = detailsOf(error).filter((detail) => !message.includes(detail));
  return details.length === 0 ? message : `${message} (${details.join('; ')})`;
}

function detailsOf({ detail, cause }: AppError): readonly string[] {
  const earlier = cause === undefined ? [] : detailsOf(cause);
  return detail === undefined ? earlier : [...earlier, detail];
}
