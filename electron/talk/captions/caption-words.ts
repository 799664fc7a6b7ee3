/** Scripts without spaces, whose characters are each spoken as a word. */
const spacelessScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const letterOrNumber = /[\p{L}\p{N}]/u;
const phraseEnd = /[.,;:!?…。，、；：！？]["'”’)]*$/u;
/** A phrase's closing marks are at most this long. */
const maxPhraseEnd = 8;
/** In UTF-16 units; longer words, such as addresses, are split. */
const maxWordLength = 64;
/** How long a character of these scripts takes to say, in letters of an alphabet. */
const spacelessWeight = 4;

export interface CaptionWord {
  /** Includes the space before the word. */
  readonly text: string;
  /** How long the word takes to say, in letters of an alphabet; its beginning counts for one. */
  readonly weight: number;
  /** Characters of the text up to the end of this word. */
  readonly end: number;
}

type OpenWord = { -readonly [Key in keyof CaptionWord]: CaptionWord[Key] };

/** Splits streamed text into words, each with the space before it; a Chinese or Japanese character is a word. Scans only new text. */
export class CaptionWords {
  readonly #words: OpenWord[] = [];
  /** The space before the next word. */
  #space = '';
  /** A high surrogate at the end of the text so far, whose low surrogate comes with the next text. */
  #highSurrogate = '';
  /** Kinds of characters that may still extend the last word. */
  #open: 'nothing' | 'marks' | 'characters' = 'nothing';

  get list(): readonly CaptionWord[] {
    return this.#words;
  }

  add(text: string): void {
    const whole = this.#highSurrogate + text;
    const last = whole.charCodeAt(whole.length - 1);
    this.#highSurrogate = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : '';
    for (const character of this.#highSurrogate === '' ? whole : whole.slice(0, -1))
      this.#addCharacter(character);
  }

  truncate(count: number): void {
    this.#words.length = Math.min(this.#words.length, count);
  }

  #addCharacter(character: string): void {
    if (/\s/u.test(character)) {
      this.#space += character;
      this.#open = 'nothing';
    } else if (spacelessScript.test(character)) this.#begin(character, 'marks', spacelessWeight);
    else if (this.#belongsToLast(character)) this.#extend(character);
    else this.#begin(character, 'characters', character.length + 1);
  }

  #belongsToLast(character: string): boolean {
    if (this.#open === 'nothing') return false;
    if (this.#open === 'marks' && letterOrNumber.test(character)) return false;
    return (this.#words.at(-1)?.text.length ?? maxWordLength) < maxWordLength;
  }

  #begin(character: string, open: 'marks' | 'characters', weight: number): void {
    const text = this.#space + character;
    const end = (this.#words.at(-1)?.end ?? 0) + text.length;
    this.#words.push({ text, weight, end });
    this.#space = '';
    this.#open = open;
  }

  #extend(character: string): void {
    const word = this.#words.at(-1);
    if (word === undefined) return;
    word.text += character;
    word.end += character.length;
    if (this.#open === 'characters') word.weight += character.length;
  }
}

export function endsPhrase(word: string): boolean {
  return phraseEnd.test(word.slice(-maxPhraseEnd));
}

/** Width in letters of an alphabet; Chinese and Japanese characters count twice. */
export function captionWidth(text: string): number {
  let width = 0;
  for (const character of text) width += spacelessScript.test(character) ? 2 : 1;
  return width;
}
