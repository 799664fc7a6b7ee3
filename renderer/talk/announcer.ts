import type { CaptionedTurn } from '../../shared/talk/captions.ts';

/** Whole sentences, in both languages' marks. */
const sentenceEnd = /[.!?。！？…]["'”’）)]*(?=\s|$|\P{ASCII})/gu;

/**
 * What a screen reader is told of the captions: what has been heard, in whole sentences and each
 * once. Word by word it would never come to an end.
 */
export class Announcer {
  #turn = -1;
  #told = 0;

  /** What is to be said now; nothing most of the time. */
  hear({ turn, text, heard, settled }: CaptionedTurn): string | undefined {
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#told = 0;
    }
    const fresh = text.slice(this.#told, heard);
    const length = settled ? fresh.length : endOfSentences(fresh);
    const said = fresh.slice(0, length).trim();
    this.#told += length;
    return said === '' ? undefined : said;
  }
}

function endOfSentences(text: string): number {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) end = index + mark.length;
  return end;
}
