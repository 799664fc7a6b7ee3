/** Where tests are, and which of them may share a process. What is in no room is not run at all. */
export const testGroups = {
  /** Pure enough to share a process and its modules, which takes a third off their time. */
  together: ['unit', 'independent', 'replay'],
  /** As pure, and too slow for `npm run check`: rendered tapes, the real clock, effort at its limit. Paths as in `unit`. */
  slow: ['slow'],
  /** Real programs, servers, sound cards and files: a process each, and too slow for `npm run check`. */
  apart: [
    'contract',
    'e2e-cli',
    'floods',
    'fuzz',
    'gates',
    'hostile',
    'leaks',
    'scenes',
    'scripts',
    'torture',
  ],
  /** Run by Playwright. */
  elsewhere: ['e2e'],
} as const;

/** Of the first: those that replace modules, or look at what watches over the tests themselves. */
export const isolatedTests = 'test/unit/{electron/hosts/desktop,set-up}/**/*.test.ts';

/** What is heard must be whole to a tenth of a second: nothing runs beside it. */
export const soundTests = 'test/e2e-cli/{sound,long-talks}.test.ts';

/** Not in braces: those mean nothing around one name. */
export const testsIn = (names: readonly string[]): string =>
  `test/@(${names.join('|')})/**/*.test.{ts,tsx}`;
