import { Deque } from '../../../shared/deque.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { CaptionPatch } from '../../../shared/talk/caption-patch.ts';
import { CaptionTurn } from './caption-turn.ts';
import { defaultSpeechPace, updateSpeechPace } from './word-alignment.ts';

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
  readonly #turns = new Deque<LiveTurn>();
  /** Turns that are not heard yet were cut as well. */
  #someCut = false;
  /** Where the first of the turns begins, in samples of the whole answer. */
  #begins = 0;
  readonly #timeline = new CaptionTimeline();
  /** Of this voice, as far as it is known. */
  #pace = defaultSpeechPace;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What has been heard of the turns that are not over. */
  get heardSoFar(): readonly HeardTurn[] {
    return [...this.#turns].map(({ words, emitted }) => ({
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
    const words = this.#known(turn)?.words;
    words?.end();
    this.#pace = updateSpeechPace(this.#pace, words?.pace);
  }

  /** Of each turn that is not over yet no more is heard than so many samples. */
  cut(reachOf: (turn: number) => number): void {
    this.#someCut = true;
    for (const { words } of this.#turns) {
      const reach = reachOf(words.turn);
      // What was said to its end and is heard to its end has lost nothing.
      if (!words.over || reach < words.length) words.cutAt(reach);
    }
  }

  /** The session is gone: what has come of an open turn is heard, and nothing follows. */
  abandon(): void {
    const last = this.#turns.at(this.#turns.length - 1)?.words;
    if (last?.over !== false) return;
    last.cutAt(Infinity);
    this.#someCut = true;
  }

  /**
   * Emits what has changed now that the playhead is here.
   * @param ms when that is; times of cues count from its zero, else along the sound alone
   */
  at(playhead: number, ms?: number): void {
    if (this.#deps.cue !== undefined && ms !== undefined) this.#timeline.observe(playhead, ms);
    let begins = this.#begins;
    const settled: LiveTurn[] = [];
    let index = 0;
    for (const turn of this.#turns) {
      // What comes later has not begun, and nothing of it changes.
      if (begins > playhead && !this.#someCut) break;
      const ends = begins + turn.words.length;
      const heardOut = turn.words.over && playhead >= ends;
      this.#emit(turn, playhead - begins, heardOut);
      if (heardOut && settled.length === index) {
        settled.push(turn);
        this.#emitCue(turn, begins);
        this.#begins = ends;
      }
      begins = ends;
      index += 1;
    }
    this.#someCut = false;
    for (const _turn of settled) this.#turns.shift();
    for (const { words, emitted } of settled) {
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
      whole ? words.text.length : words.lettersOf(words.wordsSpokenAt(samples)),
    );
    // A word that has once been heard is not cut, though the count of words may say so later.
    const cutFrom = words.isCut ? Math.max(heard, words.lettersOf(words.words.length)) : undefined;
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
    const known = this.#known(turn);
    if (known !== undefined) return known;
    // A turn without a `turnEnded` is over when the next one begins.
    this.abandon();
    const made = {
      words: new CaptionTurn(turn, this.#pace),
      emitted: { letters: 0, heard: 0, cutFrom: undefined },
    };
    this.#turns.push(made);
    return made;
  }

  /** Their numbers rise, and nearly always the newest is meant. */
  #known(turn: number): LiveTurn | undefined {
    for (let index = this.#turns.length - 1; index >= 0; index -= 1) {
      const known = this.#turns.at(index);
      if (known !== undefined && known.words.turn <= turn)
        return known.words.turn === turn ? known : undefined;
    }
    return undefined;
  }
}

/** The words of a turn that were heard, with their times in milliseconds. */
export interface Cue {
  readonly turn: number;
  readonly words: readonly CueWord[];
}

export interface CueWord {
  /** With the space before it, where there is one. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What was heard of a turn that is over; it began after so many samples of the answer. */
function createCue(turn: CaptionTurn, begins: number, timeline: CaptionTimeline): Cue | undefined {
  if (turn.length === 0 || turn.words.length === 0) return undefined;
  const words = turn.words.map(({ text }, index) => ({
    text,
    start: timeline.startOf(begins + turn.startOf(index)),
    end: timeline.endOf(begins + turn.startOf(index + 1)),
  }));
  return { turn: turn.turn, words };
}

const samplesPerMs = outputRate / 1000;
/** Smaller differences come from when one looks, not from a pause. */
const tolerance = 40;

interface Anchor {
  readonly sample: number;
  readonly ms: number;
}

/**
 * When which sample of the answer was heard, in milliseconds: the times of cues. Sound runs at its own rate except where
 * there was none to play, so only the places after such a pause are kept.
 */
export class CaptionTimeline {
  readonly #anchors: Anchor[] = [];
  /** How far the playhead was seen. */
  #seen = 0;

  /** The playhead was seen at this place at this time. */
  observe(playhead: number, ms: number): void {
    if (playhead <= this.#seen) return;
    const last = this.#anchors.at(-1);
    if (last === undefined || Math.abs(this.#timeAt(playhead, last) - ms) > tolerance) {
      const began = ms - (playhead - this.#seen) / samplesPerMs;
      this.#anchors.push({ sample: this.#seen, ms: Math.max(0, began) });
    }
    this.#seen = playhead;
  }

  /** When what begins at a place began. */
  startOf(sample: number): number {
    const anchor = this.#anchors.findLast((each) => each.sample <= sample);
    return this.#timeAt(sample, anchor);
  }

  /** When what ends at a place had ended: before a pause that follows it. */
  endOf(sample: number): number {
    const anchor = this.#anchors.findLast((each) => each.sample < sample);
    return this.#timeAt(sample, anchor);
  }

  #timeAt(sample: number, anchor: Anchor | undefined): number {
    const from = anchor ?? this.#anchors[0] ?? { sample: 0, ms: 0 };
    return from.ms + (sample - from.sample) / samplesPerMs;
  }
}
