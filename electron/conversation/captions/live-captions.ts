import type { CaptionPatch } from '../../../shared/talk/caption-patch.ts';
import { createCue } from './caption-cue.ts';
import type { Cue } from './caption-cue.ts';
import { createCaptionTimeline } from './caption-timeline.ts';
import { CaptionTurn } from './caption-turn.ts';
import { updateSpeechPace, defaultSpeechPace } from './word-alignment.ts';

/** A turn of which nothing changes any more, as it was heard. */
export interface HeardTurn {
  readonly turn: number;
  readonly heard: string;
  /** What was cut off and never heard; empty for a turn that was said to its end. */
  readonly cut: string;
}

interface EmittedCaption {
  letters: number;
  heard: number;
  cutFrom: number | undefined;
}

interface LiveTurn {
  readonly words: CaptionTurn;
  readonly emitted: EmittedCaption;
}

interface Deps {
  readonly patch: (patch: CaptionPatch) => void;
  readonly settled: (turn: HeardTurn) => void;
  /** With `settled`, for those who want the times of the words as well. */
  readonly cue?: ((cue: Cue) => void) | undefined;
  /** What a server repeats for ever is not kept beyond it. */
  readonly maxLetters?: number | undefined;
}

/** More than anyone says in one turn. */
const defaultMaxLetters = 20_000;

/**
 * The words of the turns that are not over, against the playhead: samples of the answer that have
 * been heard. It goes by no other time. A turn that is over and heard leaves it.
 */
export class LiveCaptions {
  readonly #deps: Deps;
  #turns: readonly LiveTurn[] = [];
  /** Where the first of the turns begins, in samples of the whole answer. */
  #begins = 0;
  readonly #timeline = createCaptionTimeline();
  /** Of this voice, as far as it is known. */
  #pace = defaultSpeechPace;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What has been heard of the turns that are not over. */
  get heardSoFar(): readonly HeardTurn[] {
    return this.#turns.map(({ words, emitted }) => ({
      turn: words.turn,
      heard: words.text.slice(0, emitted.heard),
      cut: '',
    }));
  }

  text(turn: number, text: string): void {
    const { words, emitted } = this.#of(turn);
    const { maxLetters = defaultMaxLetters } = this.#deps;
    const added = text.slice(0, Math.max(0, maxLetters - words.text.length));
    words.addText(added);
    if (words.text.length === emitted.letters) return;
    emitted.letters = words.text.length;
    this.#deps.patch({ turn, added });
  }

  audio(turn: number, sound: Float32Array): void {
    this.#of(turn).words.addSound(sound);
  }

  turnEnded(turn: number): void {
    const words = this.#turns.find((each) => each.words.turn === turn)?.words;
    words?.end();
    this.#pace = updateSpeechPace(this.#pace, words?.pace);
  }

  /** Of each turn that is not over yet no more is heard than so many samples. */
  cut(reachOf: (turn: number) => number): void {
    for (const { words } of this.#turns) {
      const reach = reachOf(words.turn);
      // What was said to its end and is heard to its end has lost nothing.
      if (!words.over || reach < words.length) words.cutAt(reach);
    }
  }

  /** The session is gone: what has come of an open turn is heard, and nothing follows. */
  abandon(): void {
    const last = this.#turns.at(-1)?.words;
    if (last?.over === false) last.cutAt(Infinity);
  }

  /**
   * Emits what has changed now that the playhead is here.
   * @param ms when that is; times of cues count from its zero, else along the sound alone
   */
  at(playhead: number, ms?: number): void {
    if (this.#deps.cue !== undefined && ms !== undefined) this.#timeline.observe(playhead, ms);
    let begins = this.#begins;
    let settled = 0;
    for (const [index, turn] of this.#turns.entries()) {
      const ends = begins + turn.words.length;
      const heardOut = turn.words.over && playhead >= ends;
      this.#emit(turn, playhead - begins, heardOut);
      if (heardOut && settled === index) {
        settled += 1;
        this.#emitCue(turn, begins);
        this.#begins = ends;
      }
      begins = ends;
    }
    const settledTurns = this.#turns.slice(0, settled);
    this.#turns = this.#turns.slice(settled);
    for (const { words, emitted } of settledTurns) {
      this.#deps.settled({
        turn: words.turn,
        heard: words.text.slice(0, emitted.heard),
        cut: words.text.slice(emitted.heard),
      });
    }
  }

  #emit({ words, emitted }: LiveTurn, samples: number, settled: boolean): void {
    const whole = settled && !words.isCut;
    const heard = Math.max(
      emitted.heard,
      whole ? words.text.length : lettersOf(words, words.wordsSpokenAt(samples)),
    );
    // A word that has once been heard is not cut, though the count of words may say so later.
    const cutFrom = words.isCut ? Math.max(heard, lettersOf(words, words.words.length)) : undefined;
    if (heard === emitted.heard && cutFrom === emitted.cutFrom && !settled) return;
    this.#deps.patch({
      turn: words.turn,
      ...(heard !== emitted.heard && { heard }),
      ...(cutFrom !== undefined && cutFrom !== emitted.cutFrom && { cutFrom }),
      ...(settled && { settled }),
    });
    emitted.heard = heard;
    emitted.cutFrom = cutFrom;
  }

  #emitCue({ words }: LiveTurn, begins: number): void {
    const cue = this.#deps.cue && createCue(words, begins, this.#timeline);
    if (cue !== undefined) this.#deps.cue?.(cue);
  }

  #of(turn: number): LiveTurn {
    const known = this.#turns.find(({ words }) => words.turn === turn);
    if (known !== undefined) return known;
    // A turn without a `turnEnded` is over when the next one begins.
    this.abandon();
    const made = {
      words: new CaptionTurn(turn, this.#pace),
      emitted: { letters: 0, heard: 0, cutFrom: undefined },
    };
    this.#turns = [...this.#turns, made];
    return made;
  }
}

/** How many letters of the text its first so many words take. */
function lettersOf({ words }: CaptionTurn, count: number): number {
  let letters = 0;
  for (const { text } of words.slice(0, count)) letters += text.length;
  return letters;
}
