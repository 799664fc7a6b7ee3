export const englishShell = {
  commands: 'Commands',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Paper', dark: 'Ink' },
  language: 'Language',
  systemLanguage: 'As the system',
  captionSize: 'Size of captions',
  captionSizes: { 28: 'Medium', 38: 'Large', 50: 'Huge' },
  contrast: 'Coming words',
  contrasts: { normal: 'Faint', high: 'Strong' },
  /** One of several choices, a button of one row, a note on one file. */
  under: '{{what}}: {{which}}',
  find: 'What would you like to do?',
  nothingFound: 'Nothing is called that.',
  close: 'Close',
  dismiss: 'Dismiss',
  /** What a page tells that was loaded because something went wrong. */
  recovery: {
    pageCrashed: 'This window broke and was opened anew.',
    pageHung: 'This window did not answer and was opened anew.',
    talkGoesOn: 'Your talk went on meanwhile; a talk key that was held was let go of.',
    restarted: 'Parley had a fault and has started itself anew. Its log says what went wrong.',
    safeStart:
      'Parley broke off while it was starting, so it has started carefully: without the tray, without the graphics card, with the system’s microphone and speaker, and windows where they are at first. Your settings are untouched; quit and start it again to have everything back.',
  },
  /** In a place of the page that could not be drawn. */
  broken: {
    text: 'This part of the window has a fault. Everything else goes on.',
    again: 'Try again',
    copy: 'Copy diagnostics',
    copyFailed: 'It could not be copied.',
  },
  connectionLost:
    'Parley cannot be reached. If it was stopped, start it again and open the address it prints.',
} as const;
