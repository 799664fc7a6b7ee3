/** The keys of the window, but the one that talks. */
export const englishSettingsKeys = {
  interrupt: {
    name: 'Interrupt',
    hint: 'Parley falls silent at once.',
    also: 'shortcut key stop escape',
  },
  mute: {
    name: 'Mute',
    hint: 'And back, with the same key.',
    also: 'shortcut key microphone silence unmute',
  },
  cough: {
    name: 'Cough',
    hint: 'Silent for as long as it is held.',
    also: 'shortcut key microphone silence mute',
  },
  pause: {
    name: 'Pause',
    hint: 'Nothing is sent or heard until it is pressed again.',
    also: 'shortcut key resume',
  },
  end: { name: 'End the talk', hint: 'You can go on after it.', also: 'shortcut key hang up' },
  keepRecent: {
    name: 'Keep the last two minutes',
    hint: 'As a tape, where they are held: see Privacy.',
    also: 'shortcut key record save tape recent',
  },
  palette: {
    name: 'Commands',
    hint: 'Everything that can be done, to be typed.',
    also: 'shortcut key palette',
  },
  inspector: {
    name: 'Inspector',
    hint: 'What goes to the server and what comes.',
    also: 'shortcut key wire frames',
  },
  shortcuts: {
    name: 'List of keys',
    hint: 'All keys of this window.',
    also: 'shortcut key help overview',
  },
} as const;
