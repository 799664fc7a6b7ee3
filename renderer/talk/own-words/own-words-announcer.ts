import type { OwnPhrase } from '../../../shared/talk/own-words.ts';

/** Of many that come at once (a jump in a replay, all of a talk after its end) the newest; the others can be read. */
const maxAtOnce = 2;

/** What a screen reader is told of the person's own words: each once, when it has been written down. */
export class OwnWordsAnnouncer {
  #known: ReadonlySet<number>;

  /** What stands there already is no news. */
  constructor(phrases: readonly OwnPhrase[]) {
    this.#known = new Set(phrases.filter(isWritten).map(({ at }) => at));
  }

  next(phrases: readonly OwnPhrase[]): readonly string[] {
    const written = phrases.filter(isWritten);
    const fresh = written.filter(({ at }) => !this.#known.has(at));
    this.#known = new Set(written.map(({ at }) => at));
    return fresh.slice(-maxAtOnce).map(({ text }) => text);
  }
}

function isWritten({ state, text }: OwnPhrase): boolean {
  return state === 'written' && text !== '';
}
