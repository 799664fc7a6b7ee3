import type { AppError } from '../../shared/errors/app-error.ts';
import type { PhraseNews, PhraseRef } from '../recorder/own-words/spoken-phrase.ts';

/** Phrases of one tape that are being written down, until each of them was tried. */
export class PhraseBatch {
  /** What the last of them could not be written down for. */
  readonly done: Promise<AppError | undefined>;
  readonly #talk: string | undefined;
  readonly #left: Set<number>;
  readonly #written: () => void;
  #finish: (error: AppError | undefined) => void = () => undefined;
  #error: AppError | undefined;

  constructor(phrases: readonly PhraseRef[], written: () => void) {
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#talk = phrases[0]?.talk;
    this.#left = new Set(phrases.map(({ at }) => at));
    this.#written = written;
    if (this.#left.size === 0) this.#finish(undefined);
  }

  /** Whether the news is of one of these. */
  heard({ talk, at }: PhraseRef, news: PhraseNews): boolean {
    if (talk !== this.#talk || !this.#left.has(at)) return false;
    if (news.state !== 'written' && news.state !== 'unwritten') return true;
    this.#left.delete(at);
    if (news.state === 'written') this.#written();
    else this.#error = news.error;
    if (this.#left.size === 0) this.#finish(this.#error);
    return true;
  }
}
