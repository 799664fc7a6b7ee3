/** What stands between the words of a talk that is written to a file. */
export const englishTranscript = {
  title: 'A talk with Parley',
  you: 'You',
  /** Somebody spoke; nobody wrote down what. */
  noWords: 'spoken, not written down',
  /** Before words that were cut off. */
  notHeard: 'not heard',
  byMachine: 'written down by a machine',
  chatTitle: 'A conversation with Parley',
  picture: 'picture',
  clip: 'sound clip',
  unfinished: 'not finished',
} as const;
