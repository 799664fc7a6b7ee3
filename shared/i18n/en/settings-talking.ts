/** How one talks: with an open microphone or a key, and what a short sound means. */
export const englishSettingsTalking = {
  mode: {
    name: 'How you talk',
    hint: 'With an open microphone, or while a key says so.',
    also: 'push to talk ptt hold tap open microphone',
  },
  key: {
    name: 'Talk key',
    hint: 'It works while the window has the keyboard.',
    also: 'push to talk ptt shortcut hotkey space',
  },
  everywhere: {
    name: 'A key for every program',
    hint: 'Off, Parley hears keys in its own window only. On, a part of Parley sees every key that is pressed on this computer and passes on only this one, so that you can talk while you work elsewhere.',
    also: 'global hotkey push to talk ptt background other programs system wide',
  },
  globalKey: {
    name: 'Key for every program',
    hint: 'It works like the talk key, and may be the same one.',
    also: 'global hotkey shortcut push to talk ptt',
  },
  globalTest: {
    name: 'Does it arrive from other programs?',
    hint: 'Start the test, go to another program and press the key there.',
    also: 'test global hotkey check self-test',
  },
  sounds: {
    name: 'Sounds for the microphone',
    hint: 'A soft sound when a key has opened it, and another when it is closed.',
    also: 'chime beep open closed',
  },
  arrives: {
    name: 'Does the key arrive?',
    hint: 'Press it now: the field lights up for as long as Parley sees it held.',
    also: 'test key check',
  },
  overlap: {
    name: 'Go on after an “mm-hmm”',
    hint: 'A short sound of yours lowers the answer for a moment and does not end it.',
    also: 'overlap backchannel barge in dip',
  },
  shortMs: {
    name: 'What is short',
    hint: 'A sound up to this long counts as an “mm-hmm”.',
    also: 'overlap length milliseconds',
  },
  longTalks: {
    name: 'When a session’s time is over',
    hint: 'Servers end a session after some minutes. The next one is told what Parley has said.',
    also: 'limit minutes context hand over continue long',
  },
  yielding: {
    name: 'Fall silent when the model yields',
    hint: 'Whether the answer stops at once when the model decides in mid-sentence to listen.',
    also: 'yield interrupt stop listen',
  },
} as const;
