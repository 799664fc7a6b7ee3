import type { CoreMessages, PageMessages } from './messages.ts';

/** One language of Parley. Its texts are loaded by whoever is about to show them, and by nobody else. */
export interface LanguageEntry {
  /** As its speakers call it: whoever reads nothing else finds it. */
  readonly ownName: string;
  /** For screen readers and fonts, by BCP 47. */
  readonly tag: string;
  /** Which of a system's locales it serves. */
  readonly locales: RegExp;
  readonly page: () => Promise<PageMessages>;
  readonly core: () => Promise<CoreMessages>;
}
