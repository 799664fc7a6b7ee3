/** The keys of the window, but the one that talks. */
export const englishSettingsKeys = {
  interrupt: {
    name: 'Interrupt',
    hint: 'Parley stops talking at once.',
    also: 'shortcut key stop escape',
  },
  mute: {
    name: 'Mute',
    hint: 'Press again to unmute.',
    also: 'shortcut key microphone silence unmute',
  },
  cough: {
    name: 'Hold to mute',
    hint: 'You are muted while you hold it.',
    also: 'shortcut key microphone silence mute',
  },
  pause: {
    name: 'Pause',
    hint: 'Nothing is sent or heard until you press it again.',
    also: 'shortcut key resume',
  },
  end: { name: 'End the talk', hint: 'You can go on after it.', also: 'shortcut key hang up' },
  keepRecent: {
    name: 'Keep the last two minutes',
    hint: 'As a recording. Turn it on under Privacy.',
    also: 'shortcut key record save tape recent',
  },
  palette: {
    name: 'Commands',
    hint: 'Find anything by typing.',
    also: 'shortcut key palette',
  },
  inspector: {
    name: 'Inspector',
    hint: 'What is sent and received.',
    also: 'shortcut key wire frames',
  },
  shortcuts: {
    name: 'Keyboard shortcuts',
    hint: 'All keys of this window.',
    also: 'shortcut key help overview',
  },
} as const;
