import { type Clock, Timer } from '../../shared/ports/clock.ts';
import type { UserPhrase } from '../../shared/talk/user-transcript.ts';
import { asksForTool } from '../tools/spoken-request.ts';
import type { Tool } from '../tools/tool.ts';

interface Deps {
  readonly clock: Clock;
  readonly tools: () => readonly Tool[];
  /** The user's newest phrases, in spoken order. */
  readonly phrases: () => readonly UserPhrase[];
  readonly ask: (words: string) => void;
}

/** Phrases with a longer pause between them are not one sentence. */
const maxGapMs = 2500;
/** The wait for more words, because a sentence may go on after a pause for breath. */
const settleMs = 1500;
/** Limit on the waits for phrases that are still being written down. */
const maxSettles = 6;
const maxPhrases = 4;

const endOf = ({ at, seconds }: UserPhrase): number => at + seconds * 1000;

/** Finds requests in the user's transcribed words by a rule. A sentence may consist of several phrases. */
export class SpokenRequests {
  readonly #deps: Deps;
  readonly #settle: Timer;
  #settles = 0;
  /** Time of the phrase that has a request, until its sentence is complete. */
  #requestAt: number | undefined;
  /** Time of the last phrase that belongs to an earlier request. */
  #lastUsed = -1;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#settle = new Timer(deps.clock);
  }

  /** Call this for a new phrase, and again when it was written down. */
  onPhrase({ at, state, transcribed }: UserPhrase): void {
    // Words that the user corrected or typed are no spoken request.
    if (state !== 'written' || transcribed !== 'byMachine' || at <= this.#lastUsed) return;
    if (this.#requestAt !== undefined || !asksForTool(this.#sentence(at), this.#deps.tools()))
      return;
    this.#requestAt = at;
    this.#settles = 0;
    this.#wait();
  }

  clear(): void {
    this.#settle.stop();
    this.#requestAt = undefined;
    this.#lastUsed = -1;
  }

  #wait(): void {
    this.#settle.set(settleMs, () => {
      const at = this.#requestAt;
      if (at === undefined) return;
      this.#settles += 1;
      const isOpen = this.#around(at).some(
        ({ state }) => state === 'waiting' || state === 'writing',
      );
      if (isOpen && this.#settles < maxSettles) return this.#wait();
      const words = this.#sentence(at);
      this.#lastUsed = this.#around(at).at(-1)?.at ?? at;
      this.#requestAt = undefined;
      this.#deps.ask(words);
    });
  }

  #sentence(at: number): string {
    return this.#around(at)
      .flatMap(({ state, text }) => (state === 'written' && text !== '' ? [text] : []))
      .join(' ');
  }

  /** The phrases around this one without a long pause. */
  #around(at: number): readonly UserPhrase[] {
    const phrases = this.#deps.phrases().filter((phrase) => phrase.at > this.#lastUsed);
    const index = phrases.findIndex((phrase) => phrase.at === at);
    const isJoined = (next: number): boolean => {
      const [before, after] = [phrases[next - 1], phrases[next]];
      return before !== undefined && after !== undefined && after.at - endOf(before) <= maxGapMs;
    };
    let from = index;
    while (from > 0 && index - from < maxPhrases - 1 && isJoined(from)) from -= 1;
    let to = index;
    while (to - from < maxPhrases - 1 && isJoined(to + 1)) to += 1;
    return index === -1 ? [] : phrases.slice(from, to + 1);
  }
}
