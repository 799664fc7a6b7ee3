/** Letters that are each spoken for themselves and stand without spaces. */
const standsAlone = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const letterOrNumber = /[\p{L}\p{N}]/u;
const phraseEnd = /[.,;:!?…。，、；：！？]["'”’)]*$/u;
/** What closes a phrase is no longer than this, however long the word is. */
const maxPhraseEnd = 8;
/** An address, or what a broken server takes for a word, is heard in pieces. */
const maxWordLetters = 64;
/** How long a letter that stands for itself takes to say, in letters of an alphabet. */
const aloneWeight = 4;

export interface CaptionWord {
  /** With the space before it. */
  readonly text: string;
  /** How long it takes to say, in letters of an alphabet; its beginning counts for one. */
  readonly weight: number;
  /** How many letters of the text end with it. */
  readonly end: number;
}

type OpenWord = { -readonly [Key in keyof CaptionWord]: CaptionWord[Key] };

/**
 * The words of a text that comes in pieces, each with the space before it; a letter of Chinese or
 * Japanese is a word. Only what is new is looked at: servers send a text in as many pieces as they like.
 */
export class CaptionWords {
  readonly #words: OpenWord[] = [];
  /** The space before the word that is to come. */
  #space = '';
  /** One half of a letter that takes two places. */
  #half = '';
  /** What may still belong to the last word: marks alone, or letters as well. */
  #open: 'nothing' | 'marks' | 'letters' = 'nothing';

  get list(): readonly CaptionWord[] {
    return this.#words;
  }

  add(text: string): void {
    const whole = this.#half + text;
    const last = whole.charCodeAt(whole.length - 1);
    this.#half = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : '';
    for (const letter of this.#half === '' ? whole : whole.slice(0, -1)) this.#addLetter(letter);
  }

  /** Keeps only so many words, the first ones. */
  truncate(count: number): void {
    this.#words.length = Math.min(this.#words.length, count);
  }

  #addLetter(letter: string): void {
    if (/\s/u.test(letter)) {
      this.#space += letter;
      this.#open = 'nothing';
    } else if (standsAlone.test(letter)) this.#begin(letter, 'marks', aloneWeight);
    else if (this.#belongsToLast(letter)) this.#extend(letter);
    else this.#begin(letter, 'letters', letter.length + 1);
  }

  #belongsToLast(letter: string): boolean {
    if (this.#open === 'nothing') return false;
    if (this.#open === 'marks' && letterOrNumber.test(letter)) return false;
    return (this.#words.at(-1)?.text.length ?? maxWordLetters) < maxWordLetters;
  }

  #begin(letter: string, open: 'marks' | 'letters', weight: number): void {
    const text = this.#space + letter;
    const end = (this.#words.at(-1)?.end ?? 0) + text.length;
    this.#words.push({ text, weight, end });
    this.#space = '';
    this.#open = open;
  }

  #extend(letter: string): void {
    const word = this.#words.at(-1);
    if (word === undefined) return;
    word.text += letter;
    word.end += letter.length;
    if (this.#open === 'letters') word.weight += letter.length;
  }
}

/** A voice takes a breath after it. */
export function endsPhrase(word: string): boolean {
  return phraseEnd.test(word.slice(-maxPhraseEnd));
}

/** How wide a letter is, in letters of an alphabet. */
export function captionWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += standsAlone.test(letter) ? 2 : 1;
  return width;
}
