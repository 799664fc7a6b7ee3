/** The folders of tests, and how they run. A test in another folder does not run. */
export const testGroups = {
  /** Pure tests that share a process and its modules, which saves a third of their time. */
  together: ['unit', 'independent', 'replay'],
  /** Pure tests that are too slow for `npm run check`: rendered tapes, the real clock, load at its limit. Paths under `slow` mirror those under `unit`. */
  slow: ['slow'],
  /** Tests with real programs, servers, sound cards and files, too slow for `npm run check`. */
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
  /** Tests that Playwright runs. */
  elsewhere: ['e2e'],
} as const;

/** Tests in `together` that need a process each, because they mock modules or test the test set-up. */
export const isolatedTests = 'test/unit/{electron/hosts/desktop,set-up}/**/*.test.ts';

/**
 * Tests in `apart` that need a process each, because Node reads certificates once, a module is mocked, or PortAudio keeps
 * what it found at its start.
 */
export const separateTests =
  'test/contract/{update-source,system-adapters,sound-*}.contract.test.ts';

/** Run alone, because they check sound to a tenth of a second. */
export const soundTests = 'test/e2e-cli/{sound,long-talks}.test.ts';

/** A glob; braces need at least two names. */
export const testsIn = (names: readonly string[]): string =>
  `test/@(${names.join('|')})/**/*.test.{ts,tsx}`;
