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
  connectionLost:
    'Parley cannot be reached. If it was stopped, start it again and open the address it prints.',
} as const;
