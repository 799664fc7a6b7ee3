/** What is asked for and cannot be done: requests, talks, written conversations, commands. The facts in braces are those of the codes in `shared/errors`. */
export const englishRequestErrors = {
  // Why a request came to nothing before anybody looked at what it is about.
  disconnected: 'Parley cannot be reached at the moment.',
  internalError:
    'Parley could not do this. This is an error in Parley, please report it: {{error}}',
  notUnderstood: 'Parley can’t use this. Something in it is too long, too large or not allowed.',
  noWindows: 'Only the desktop app has windows of its own; this page has a tab.',
  unknownRequest: 'Parley knows no request called “{{name}}”: load the page anew.',
  notOurPage: 'Parley answers only its own windows.',
  coreUnloaded: 'Parley could not be loaded: install it again.',
  // Why something cannot be done with a talk now, or is missing of its tape.
  noTalk: 'There is no talk: start one first.',
  talkStarting: 'The talk is only being started: try again in a moment.',
  talkStartingAlready: 'A talk is being started already.',
  talkGoingOn: 'A talk is going on already: end it first.',
  noEndedTalk: 'No talk has ended here.',
  shuttingDown: 'Parley is being closed.',
  talkHasSound: 'A talk has the microphone and the speaker: end it first.',
  talkKeyAway:
    'The keyboard went elsewhere while the talk key was held, so the microphone was closed. Press the key again to go on.',
  talkKeyLost:
    'Nothing tells any more whether the talk key is still held, so the microphone was closed. Press the key again to go on.',
  talkKeyLocked:
    'The screen locked or the computer slept while the talk key was held. The microphone was closed.',
  talkKeyHeld:
    'The talk key was held for {{minutes}} minutes, so the microphone was closed. Press the key again to go on.',
  globalKeyNoDesktop: 'Only the desktop app hears a key in other programs.',
  globalKeyNowhere:
    'This system shares no keys between programs. In its keyboard settings, set one for “parley ptt toggle”.',
  globalKeyUnset: 'No key is chosen: choose one.',
  globalKeyEnded: 'What hears the key has ended {{times}} times in a row and is not started again.',
  tapeGap:
    'A part of this talk could not be recorded: is the disk full? The talk goes on, but its recording has a gap.',
  tapeFailed: 'This talk cannot be recorded: is the disk full? The talk goes on.',
  // Why a tape is not played again, or nothing can be done with the one that is.
  noReplay: 'No recording is open: open one first.',
  replayTapeGone: 'This recording is no longer there.',
  replayOfChat: 'This is the recording of a chat. Play it with “parley replay” in a terminal.',
  replayPathless: 'This cannot be opened as a recording: drop its folder or its file.',
  comparedKinds: 'A talk can’t be compared with a chat.',
  rerunOfNothing: 'Nothing was said or asked on this recording: there is nothing to send again.',
  rerunGoesOn: 'A recording is being sent to a server already: wait until it is over, or stop it.',
  rerunStopped: 'It was stopped before its end.',
  tapeLost: 'The folder of this recording is gone, with what was said before. The talk goes on.',
  tapeLowSpace:
    'Only {{megabytes}} MB of disk left, too little for ten minutes of recording. Free some space.',
  // Why something cannot be done in a written conversation, or is missing of it.
  chatGone: 'This chat is gone.',
  chatElsewhere: 'Another chat was opened meanwhile. Open this one and send again.',
  mediaGone: 'This picture or sound is no longer there.',
  mediaLost: 'A picture or sound of this chat is gone. Delete that message, or start a new chat.',
  messageGone: 'This message is no longer there.',
  questionGone: 'The question to this answer is no longer there.',
  beforeGone: 'What was here before is no longer there.',
  speechGone: 'The speech of this answer is no longer kept. Ask anew to hear it.',
  noPlayer: 'There is no speaker to play it on.',
  answerComing: 'An answer is still coming: wait for its end or stop it first.',
  answerVoiceGone: 'The voice that is chosen for answers is no longer there. Choose another one.',
  nothingToSend: 'There is nothing to send yet: write something or attach a picture or a sound.',
  textLong: 'This text is too long: a message may have 1,000,000 characters. Send it in parts.',
  clipLong: 'A recording may last {{most}} seconds.',
  tooMuch:
    'Too much for the model’s memory. It needs about {{tokens}} tokens, and {{most}} fit. Attach less, or shorten the system message or the answer’s length.',
  pictureMissing: 'A picture of this chat is missing.',
  soundMissing: 'A sound of this chat is missing.',
  chatDamaged: 'A saved chat was damaged. It was moved to {{path}}. All others are here.',
  deletionPostponed:
    'The calendar is {{days}} days further than when Parley last ran. If that is right, do nothing. Old chats and recordings are kept for {{wait}} more days of use.',
  chatsUnkept: 'Your chats are safe while Parley runs, but they are not saved until this is fixed.',
  // Why the desktop app does not do what was asked of it outside its windows.
  linkUnknown: 'The link was not opened. Parley only takes links that start a talk.',
  linkPresetUnknown: 'The link was not opened. It names a role that Parley does not have.',
  autostartFailed:
    'Parley could not be set to start with the computer: {{path}} cannot be written.',
  linksFailed: 'Parley could not be set to open its links: {{path}} cannot be written.',
  linksNotHere: 'Only the desktop app can be what the system opens links with.',
  noTray:
    'This desktop shows no tray, so Parley stays in its list of windows. Settings, Desktop, decides what closing does.',
  // Why the embedded server cannot listen.
  portTaken:
    'Port {{port}} on {{host}} is taken by another program; choose another port, or 0 for any.',
  portForbidden: 'Port {{port}} may not be opened without more rights; choose one above 1023.',
  noSuchLocalAddress:
    'This machine has no address {{host}}; leave the host out to listen on loopback.',
  cannotListen: 'The gateway cannot listen on {{host}}, port {{port}}.',
  // Why a command for the Parley that runs is not heard or not done.
  commandsPathLong: 'Commands are not heard: {{path}} is too long for a socket.',
  commandsUnheard: 'Commands are not heard at {{path}}.',
  commandUnknown: 'The Parley that runs does not know this command; restart it.',
  microphoneOpen:
    'The microphone is open all the time; for a talk key choose another way of talking.',
} as const;
