/** The sheet in which a report of a problem is looked at before it is saved. */
export const englishReport = {
  action: 'Report a problem…',
  title: 'Report a problem',
  making: 'Preparing…',
  why: 'This makes a file for support. Nothing is sent.',
  talk: 'Includes the talk of {{when}}.',
  inside: 'Words, voices, pictures and names are made unrecognisable.',
  unrecorded: 'This talk was not recorded. Only facts and the log are included.',
  recent:
    'Its last two minutes are still in memory. If you save them, they are added, made unrecognisable.',
  addRecent: 'Keep the last two minutes',
  untaped: 'Only facts and the log are included, no recording.',
  files: 'What is included',
  file: '{{name}}, {{size}}',
  look: 'Contents of {{name}}',
  cancel: 'Cancel',
  save: 'Save…',
  unsent: 'Nothing was sent.',
  done: 'Done',
} as const;
