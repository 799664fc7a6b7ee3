/** How one talks: with an open microphone or a key, and what a short sound means. */
export const englishSettingsTalking = {
  mode: {
    name: 'Mic mode',
    hint: 'Always open, or with a key.',
    also: 'push to talk ptt hold tap open microphone',
  },
  key: {
    name: 'Talk key',
    hint: 'Works while the window is in front.',
    also: 'push to talk ptt shortcut hotkey space',
  },
  everywhere: {
    name: 'A key for all programs',
    hint: 'Lets you talk while you work elsewhere. Parley listens for this key only: no other key is kept or sent.',
    also: 'global hotkey push to talk ptt background other programs system wide',
  },
  globalKey: {
    name: 'Key for all programs',
    hint: 'It works like the talk key. It can be the same one.',
    also: 'global hotkey shortcut push to talk ptt',
  },
  globalTest: {
    name: 'Test it in another program',
    hint: 'Start the test, switch to another program and press the key.',
    also: 'test global hotkey check self-test',
  },
  sounds: {
    name: 'Microphone sounds',
    hint: 'A soft sound when a key opens or closes it.',
    also: 'chime beep open closed',
  },
  startMuted: {
    name: 'Start muted',
    hint: 'For an open microphone. With a talk key it is silent until you press the key.',
    also: 'mute begin privacy silent microphone off tray',
  },
  arrives: {
    name: 'Test the key',
    hint: 'Press it. The field lights up while you hold it.',
    also: 'test key check',
  },
  overlap: {
    name: 'Go on after an “mm-hmm”',
    hint: 'A short sound from you lowers the answer but doesn’t stop it.',
    also: 'overlap backchannel barge in dip',
  },
  shortMs: {
    name: 'Shortest interruption',
    hint: 'A sound up to this long counts as an “mm-hmm”.',
    also: 'overlap length milliseconds',
  },
  longTalks: {
    name: 'When a session ends',
    hint: 'Servers end sessions after a few minutes. The next one knows what Parley said.',
    also: 'limit minutes context hand over continue long',
  },
  answers: {
    name: 'Answers begin',
    hint: 'On a slow server, soon means short gaps and smooth means a little wait.',
    also: 'latency delay gaps stutter buffer soon fast smooth',
  },
  yielding: {
    name: 'Stop when the model stops',
    hint: 'Whether the sound stops at once when the model decides to listen.',
    also: 'yield interrupt stop listen',
  },
} as const;
