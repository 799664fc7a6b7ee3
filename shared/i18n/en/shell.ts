export const englishShell = {
  commands: 'Commands',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  language: 'Language',
  systemLanguage: 'System',
  captionSize: 'Caption size',
  captionSizes: { 28: 'Medium', 38: 'Large', 50: 'Huge' },
  contrast: 'Upcoming words',
  contrasts: { normal: 'Faint', high: 'Strong' },
  /** One of several choices, a button of one row, a note on one file. */
  under: '{{what}}: {{which}}',
  find: 'What would you like to do?',
  nothingFound: 'No results',
  close: 'Close',
  dismiss: 'Dismiss',
  undo: {
    deleted: '“{{title}}” was deleted.',
    taped: '“{{title}}” and its recording were deleted.',
    several: 'Deleted: {{count}}.',
    severalTaped: 'Deleted with their recordings: {{count}}.',
    message: 'Message deleted.',
    removed: '“{{title}}” was removed.',
    undo: 'Undo',
  },
  /** What a page tells that was loaded because something went wrong. */
  recovery: {
    pageCrashed: 'This window crashed and was reopened.',
    pageHung: 'This window stopped responding and was reopened.',
    talkGoesOn: 'Your talk went on. A talk key you were holding was released.',
    restarted: 'Parley crashed and restarted. The log says what went wrong.',
    safeStart:
      'Parley could not start, so it started in safe mode. The tray and the graphics card are off, and the system’s microphone and speaker are used. Your settings are untouched. Quit and start Parley again to get everything back.',
  },
  /** In a place of the page that could not be drawn. */
  broken: {
    text: 'This part of the window crashed. Everything else works.',
    again: 'Try again',
    copy: 'Copy diagnostics',
    copyFailed: 'Could not copy.',
  },
  connectionLost:
    'Can’t reach Parley. If it was stopped, start it again and open the address it prints.',
} as const;
