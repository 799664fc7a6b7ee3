import { CaptionWords } from './caption-words.ts';
import { alignWords, SpeechClock, type StepSound, type WordPosition } from './word-alignment.ts';

/** The step whose words were placed last. Later sound may place them again. */
interface AlignedStep extends StepSound {
  readonly firstWord: number;
  readonly before: { readonly text: string; readonly end: number };
}

const wholeTurn: AlignedStep = {
  from: 0,
  until: 0,
  last: true,
  leads: false,
  firstWord: 0,
  before: { text: '', end: 0 },
};

/** Text and sound of one turn. Text never arrives after its sound. */
export class CaptionTurn {
  readonly turn: number;
  readonly #pace: number;
  readonly #clock = new SpeechClock();
  readonly #words = new CaptionWords();
  readonly #positions: WordPosition[] = [];
  #text = '';
  #step: AlignedStep | undefined;
  /** How many pause ends were known when the words were placed. */
  #knownPauseEnds = 0;
  /** Words that have certainly begun; the search starts after them. */
  #begunWords = { words: 0, samples: 0 };
  #end = 0;
  #ended = false;
  #cut: number | undefined;

  /** @param pace samples of speech per character, as far as known for this voice */
  constructor(turn: number, pace: number) {
    this.turn = turn;
    this.#pace = pace;
  }

  get words(): readonly { readonly text: string }[] {
    return this.#words.list;
  }

  /** Characters in the first `words` words. */
  characterCount(words: number): number {
    return this.#words.list[words - 1]?.end ?? 0;
  }

  /** Samples that will be heard in the end, as far as known. */
  get length(): number {
    return this.#cut ?? this.#clock.samples;
  }

  /** Samples of speech per character; defined if the turn was heard to its end and is long enough. */
  get pace(): number | undefined {
    const characters = this.#words.list.reduce((sum, { weight }) => sum + weight, 0);
    const isReliable = this.#ended && this.#cut === undefined && characters >= 20;
    return isReliable && this.#clock.samples > 0 ? this.#clock.spoken / characters : undefined;
  }

  /** All of the text, including what was cut. */
  get text(): string {
    return this.#text;
  }

  get isOver(): boolean {
    return this.#ended || this.#cut !== undefined;
  }

  get isCut(): boolean {
    return this.#cut !== undefined;
  }

  addText(text: string): void {
    if (this.#cut !== undefined) return;
    this.#text += text;
    this.#words.add(text);
    // No later sound will come for this text.
    if (this.#ended) this.#placeLast();
  }

  addSound(sound: Float32Array): void {
    if (sound.length === 0) return;
    const from = this.#clock.samples;
    this.#clock.push(sound);
    if (this.#cut !== undefined) return;
    const until = this.#clock.samples;
    const firstWord = this.#positions.length;
    if (firstWord < this.#words.list.length) {
      const before = { text: this.#words.list[firstWord - 1]?.text ?? '', end: this.#end };
      return this.#alignStep({ from, until, last: false, leads: false, firstWord, before });
    }
    // The text leads its sound, so each new pause end places its words again.
    const hasNewPauseEnd = this.#clock.resumes.length > this.#knownPauseEnds;
    if (this.#step?.leads === true && hasNewPauseEnd) this.#alignStep({ ...this.#step, until });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#cut === undefined) this.#placeLast();
  }

  /** Cuts the turn: only this many of its samples will be heard. */
  cutAt(samples: number): void {
    const heard = Math.min(samples, this.length);
    // A turn that was cut with its session may be cut again, earlier.
    if (this.#cut !== undefined && heard >= this.#cut) return;
    this.#words.truncate(this.wordsSpokenAt(heard));
    this.#cut = heard;
  }

  /** Words that have begun after this many samples were heard. */
  wordsSpokenAt(samples: number): number {
    const all = this.#words.list.length;
    if (this.#cut !== undefined && samples >= this.#cut) return all;
    if (this.#ended && samples >= this.#clock.samples) return all;
    let words = samples >= this.#begunWords.samples ? Math.min(all, this.#begunWords.words) : 0;
    while (words < all && this.startOf(words) < samples) words += 1;
    this.#begunWords = { words, samples };
    return words;
  }

  /** Where a word begins, in samples of the turn; the turn's end if not known yet. */
  startOf(index: number): number {
    const position = this.#positions[index];
    if (position === undefined) return this.length;
    const sample = this.#clock.sampleAfter(position.spoken) ?? this.#clock.samples;
    return Math.min(this.length, position.notAfter, Math.max(position.notBefore, sample));
  }

  #placeLast(): void {
    const until = this.#clock.samples;
    if (until > 0) this.#alignStep({ ...(this.#step ?? wholeTurn), until, last: true });
  }

  #alignStep(step: AlignedStep): void {
    const words = this.#words.list.slice(step.firstWord);
    const { positions, end, leads } = alignWords(words, step.before, step, this.#clock, this.#pace);
    this.#positions.length = Math.min(this.#positions.length, step.firstWord);
    for (const position of positions) this.#positions.push(position);
    if (this.#begunWords.words > step.firstWord)
      this.#begunWords = { words: step.firstWord, samples: 0 };
    this.#knownPauseEnds = this.#clock.resumes.length;
    this.#end = end;
    this.#step = { ...step, leads };
  }
}
