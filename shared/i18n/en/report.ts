/** The sheet in which a report of a problem is looked at before it is saved. */
export const englishReport = {
  action: 'Report a problem…',
  title: 'Report a problem',
  making: 'Putting it together…',
  why: 'This makes a file for whoever looks into the problem. Nothing is sent.',
  talk: 'It has the talk of {{when}} in it.',
  inside: 'Words are masked, voices are noise, pictures are blurred, names are left out.',
  untaped: 'No recording of a talk is in it, only facts and the log.',
  files: 'What is in it',
  file: '{{name}}, {{size}}',
  look: 'What stands in {{name}}',
  cancel: 'Cancel',
  save: 'Save…',
  saved: 'Saved as {{path}}. Nothing was sent.',
  done: 'Done',
} as const;
