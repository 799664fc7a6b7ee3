import type { OwnPhrase, OwnWords } from '../../../shared/talk/own-words.ts';

/** While a talk goes on of which nothing is written down before its end, what waits for that is only in the way. */
export function shownPhrases({ status, phrases }: OwnWords): readonly OwnPhrase[] {
  return status.kind === 'afterTalk' ? phrases.filter(({ state }) => state !== 'waiting') : phrases;
}
