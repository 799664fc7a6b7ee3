import { Deque } from '../../../shared/collections.ts';
import type { CaptionPatch } from '../../../shared/talk/talk-view.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import {
  alignWords,
  CaptionWords,
  defaultSpeechPace,
  SpeechClock,
  type StepSound,
  updateSpeechPace,
  type WordPosition,
} from './caption-words.ts';

/** A turn that is final, as it was heard. */
export interface HeardTurn {
  readonly turn: number;
  readonly heard: string;
  /** The part that was cut off and never heard; empty if the turn was said to its end. */
  readonly cut: string;
}

interface EmittedCaption {
  characters: number;
  heard: number;
  cutFrom: number | undefined;
}

interface LiveTurn {
  readonly words: CaptionTurn;
  readonly emitted: EmittedCaption;
}

interface Deps {
  readonly onPatch: (patch: CaptionPatch, isInterruption: boolean) => void;
  readonly onSettled: (turn: HeardTurn) => void;
  /** Called before `onSettled`, for a caller that needs the times of the words. */
  readonly onCue?: ((cue: Cue) => void) | undefined;
  /** In characters per turn, against a server that repeats itself for ever. */
  readonly maxLength?: number | undefined;
}

const defaultMaxLength = 20_000;

/**
 * Marks the words of open turns as heard when the playhead, in samples of the whole answer, reaches them. Forgets a turn once it
 * was heard.
 */
export class LiveCaptions {
  readonly #deps: Deps;
  readonly #turns = new Deque<LiveTurn>();
  /** A cut changes turns that are not heard yet, so the next update emits all. */
  #hasNewCut = false;
  #isInterruption = false;
  /** Where the first turn begins, in samples of the whole answer. */
  #start = 0;
  readonly #timeline = new CaptionTimeline();
  #pace = defaultSpeechPace;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The words heard so far of each unsettled turn. */
  get heardSoFar(): readonly HeardTurn[] {
    return [...this.#turns].map(({ words, emitted }) => ({
      turn: words.turn,
      heard: words.text.slice(0, emitted.heard),
      cut: '',
    }));
  }

  addText(turn: number, text: string): void {
    const { words, emitted } = this.#ensureTurn(turn);
    const { maxLength = defaultMaxLength } = this.#deps;
    const added = text.slice(0, Math.max(0, maxLength - words.text.length));
    words.addText(added);
    if (words.text.length === emitted.characters) return;
    emitted.characters = words.text.length;
    this.#deps.onPatch({ turn, added }, false);
  }

  addAudio(turn: number, sound: Float32Array): void {
    this.#ensureTurn(turn).words.addSound(sound);
  }

  onTurnEnd(turn: number): void {
    const words = this.#findTurn(turn)?.words;
    words?.end();
    this.#pace = updateSpeechPace(this.#pace, words?.pace);
  }

  /** Cuts every open turn at the number of its samples that will be heard; the next update passes `isInterruption` on. */
  cut(samplesOf: (turn: number) => number, isInterruption = false): void {
    this.#hasNewCut = true;
    this.#isInterruption = isInterruption;
    for (const { words } of this.#turns) {
      const samples = samplesOf(words.turn);
      // A turn that was said and heard to its end loses nothing.
      if (!words.isOver || samples < words.length) words.cutAt(samples);
    }
  }

  /** The session is gone: received sound of an open turn will still be heard, and nothing follows. */
  abandon(): void {
    const last = this.#turns.at(this.#turns.length - 1)?.words;
    if (last?.isOver !== false) return;
    last.cutAt(Infinity);
    this.#hasNewCut = true;
  }

  /** @param ms time of the playhead, for cues; without it, cues follow the sound alone */
  update(playhead: number, ms?: number): void {
    if (this.#deps.onCue !== undefined && ms !== undefined) this.#timeline.observe(playhead, ms);
    let start = this.#start;
    const settled: LiveTurn[] = [];
    let index = 0;
    for (const turn of this.#turns) {
      // Later turns have not begun and cannot have changed.
      if (start > playhead && !this.#hasNewCut) break;
      const end = start + turn.words.length;
      const heardOut = turn.words.isOver && playhead >= end;
      this.#emit(turn, playhead - start, heardOut);
      if (heardOut && settled.length === index) {
        settled.push(turn);
        this.#emitCue(turn, start);
        this.#start = end;
      }
      start = end;
      index += 1;
    }
    this.#hasNewCut = false;
    this.#isInterruption = false;
    for (const _turn of settled) this.#turns.shift();
    for (const { words, emitted } of settled) {
      this.#deps.onSettled({
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
      whole ? words.text.length : words.characterCount(words.wordsSpokenAt(samples)),
    );
    // A word that was once shown as heard is never cut, even if later sound moves it.
    const cutFrom = words.isCut
      ? Math.max(heard, words.characterCount(words.words.length))
      : undefined;
    if (heard === emitted.heard && cutFrom === emitted.cutFrom && !settled) return;
    const patch = {
      turn: words.turn,
      ...(heard !== emitted.heard && { heard }),
      ...(cutFrom !== undefined && cutFrom !== emitted.cutFrom && { cutFrom }),
      ...(settled && { settled }),
    };
    this.#deps.onPatch(patch, this.#isInterruption);
    emitted.heard = heard;
    emitted.cutFrom = cutFrom;
  }

  #emitCue({ words }: LiveTurn, start: number): void {
    const cue = this.#deps.onCue && createCue(words, start, this.#timeline);
    if (cue !== undefined) this.#deps.onCue?.(cue);
  }

  #ensureTurn(turn: number): LiveTurn {
    const existing = this.#findTurn(turn);
    if (existing !== undefined) return existing;
    // A turn without a `turnEnded` is over when the next one begins.
    this.abandon();
    const begun = {
      words: new CaptionTurn(turn, this.#pace),
      emitted: { characters: 0, heard: 0, cutFrom: undefined },
    };
    this.#turns.push(begun);
    return begun;
  }

  /** Turn numbers rise, and callers nearly always mean the newest. */
  #findTurn(turn: number): LiveTurn | undefined {
    for (let index = this.#turns.length - 1; index >= 0; index -= 1) {
      const existing = this.#turns.at(index);
      if (existing !== undefined && existing.words.turn <= turn)
        return existing.words.turn === turn ? existing : undefined;
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
  /** Includes the space before the word, if any. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** @param start samples of the answer before this turn */
function createCue(turn: CaptionTurn, start: number, timeline: CaptionTimeline): Cue | undefined {
  if (turn.length === 0 || turn.words.length === 0) return undefined;
  const words = turn.words.map(({ text }, index) => ({
    text,
    start: timeline.startOf(start + turn.startOf(index)),
    end: timeline.endOf(start + turn.startOf(index + 1)),
  }));
  return { turn: turn.turn, words };
}

const samplesPerMs = outputRate / 1000;
/** Smaller differences come from polling and not from a pause. */
const toleranceMs = 40;

interface Anchor {
  readonly sample: number;
  readonly ms: number;
}

/**
 * Maps samples of the answer to the milliseconds at which they were heard. Stores an anchor at the start and after each pause
 * only.
 */
export class CaptionTimeline {
  readonly #anchors: Anchor[] = [];
  #playhead = 0;

  observe(playhead: number, ms: number): void {
    if (playhead <= this.#playhead) return;
    const last = this.#anchors.at(-1);
    if (last === undefined || Math.abs(this.#timeAt(playhead, last) - ms) > toleranceMs) {
      const began = ms - (playhead - this.#playhead) / samplesPerMs;
      this.#anchors.push({ sample: this.#playhead, ms: Math.max(0, began) });
    }
    this.#playhead = playhead;
  }

  /** When the sound that begins at this sample was first heard. */
  startOf(sample: number): number {
    const anchor = this.#anchors.findLast((each) => each.sample <= sample);
    return this.#timeAt(sample, anchor);
  }

  /** When the sound that ends at this sample was heard to its end. A pause that follows does not count. */
  endOf(sample: number): number {
    const anchor = this.#anchors.findLast((each) => each.sample < sample);
    return this.#timeAt(sample, anchor);
  }

  #timeAt(sample: number, anchor: Anchor | undefined): number {
    const from = anchor ?? this.#anchors[0] ?? { sample: 0, ms: 0 };
    return from.ms + (sample - from.sample) / samplesPerMs;
  }
}

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

/** Text and sound of one turn. A step's text arrives before its sound. */
class CaptionTurn {
  readonly turn: number;
  readonly #pace: number;
  readonly #clock = new SpeechClock();
  readonly #words = new CaptionWords();
  readonly #positions: WordPosition[] = [];
  #text = '';
  #step: AlignedStep | undefined;
  /** How many pause ends were known when the words were placed. */
  #knownPauseEnds = 0;
  /** The newest result of `wordsSpokenAt` and its argument; the next search starts there. */
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

  /** Samples of speech per character; undefined if the turn is open, was cut or is too short. */
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
    // A turn that was cut with its session may be cut again, earlier.
    const heard = Math.min(samples, this.length);
    this.#words.truncate(this.wordsSpokenAt(heard));
    this.#cut = heard;
  }

  /** Words that have begun after this many samples were heard. */
  wordsSpokenAt(samples: number): number {
    const all = this.#words.list.length;
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
