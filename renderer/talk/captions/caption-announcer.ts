import type { CaptionedTurn } from '../../../shared/talk/caption-patch.ts';

/** What has been passed over for so many turns is old, and can be read. */
const maxTurnsBehind = 3;
/** About half a minute of reading aloud. */
const maxLetters = 400;

/** Whole sentences, in both languages' marks. */
const sentenceEnd = /[.!?。！？…]["'”’）)]*(?=\s|$|\P{ASCII})/gu;

/**
 * What a screen reader is told of the captions: what has been heard, in whole sentences and each
 * once. Word by word it would never come to an end.
 */
export class CaptionAnnouncer {
  #turn = -1;
  #announced = 0;
  #heard = -1;
  #settled = false;

  /** What is to be said now, of the turn that is being heard and of those it was followed by; nothing most of the time. */
  next(turns: readonly CaptionedTurn[]): string | undefined {
    const said: string[] = [];
    for (const turn of turns.slice(-maxTurnsBehind)) {
      if (turn.turn < this.#turn) continue;
      const text = this.#nextOf(turn);
      if (text !== undefined) said.push(text);
      if (!turn.settled) break;
    }
    const text = said.join(' ');
    if (text.length <= maxLetters) return text === '' ? undefined : text;
    const newest = text.slice(-maxLetters);
    return newest.slice(newest.indexOf(' ') + 1);
  }

  #nextOf({ turn, text, heard, settled }: CaptionedTurn): string | undefined {
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#announced = 0;
    } else if (heard === this.#heard && settled === this.#settled) return undefined;
    this.#heard = heard;
    this.#settled = settled;
    const fresh = text.slice(this.#announced, heard);
    const length = settled ? fresh.length : endOfSentences(fresh);
    const said = fresh.slice(0, length).trim();
    this.#announced += length;
    return said === '' ? undefined : said;
  }
}

function endOfSentences(text: string): number {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) end = index + mark.length;
  return end;
}
