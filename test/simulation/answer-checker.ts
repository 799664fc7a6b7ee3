import type { DemoClip, DemoSpeech } from '../../electron/gateway/gateway-options.ts';

interface ExpectedMark {
  readonly mark: number;
  readonly turn: number;
}

/** Captions, which estimate the heard words from the pace of speech, may be ahead of the sound by this many marks. */
const maxAheadMarks = 12;
/** An answer must be heard within this time, which counts only while the speakers are idle. */
const heardWithinMs = 8000;

/** Checks with marked sound that each received answer is heard once and in order, unless it was flushed. */
export class AnswerChecker {
  readonly #received = new MarkReader();
  readonly #heard = new MarkReader();
  #expected: ExpectedMark[] = [];
  #turn: number | undefined;
  #progressAt = 0;
  readonly #marksHeard = new Map<number, number>();
  readonly #texts = new Map<number, string>();
  wrong: string | undefined;
  heardSeconds = 0;

  received(turn: number, audio: Float32Array, now: number): void {
    if (turn !== this.#turn) this.#turn = turn;
    for (const mark of this.#received.read(audio)) {
      if (this.#expected.length === 0) this.#progressAt = now;
      this.#expected.push({ mark, turn });
    }
  }

  heard(samples: Float32Array, now: number): void {
    for (const mark of this.#heard.read(samples)) {
      const next = this.#expected.shift();
      this.#progressAt = now;
      this.heardSeconds += markSamples / 24_000;
      if (next?.mark === mark) {
        this.#marksHeard.set(next.turn, (this.#marksHeard.get(next.turn) ?? 0) + 1);
        continue;
      }
      this.wrong ??=
        next === undefined
          ? `a part of an answer was heard twice, or after it was cut (mark ${mark})`
          : `a part of an answer was lost or out of order: mark ${mark} was heard where ${next.mark} was due`;
    }
  }

  /** The sound received so far was flushed on purpose. */
  cut(): void {
    this.#expected = [];
    this.#received.reset();
    this.#heard.reset();
  }

  /** Another talk begins, with new turn numbers. */
  begin(): void {
    this.cut();
    this.#turn = undefined;
    this.#marksHeard.clear();
    this.#texts.clear();
  }

  /** A caption shows this many characters as heard. */
  shown(
    turn: number,
    { added, heard }: { readonly added?: string; readonly heard?: number },
  ): void {
    const text = (this.#texts.get(turn) ?? '') + (added ?? '');
    this.#texts.set(turn, text);
    // Negative numbers are turns of an earlier talk, which were heard in that talk.
    if (heard === undefined || heard === 0 || turn < 0) return;
    const words = text.slice(0, heard).trim().split(/\s+/u).length;
    const marks = this.#marksHeard.get(turn) ?? 0;
    if (words * 4 > marks + maxAheadMarks)
      this.wrong ??= `the captions were ahead of the sound: ${words} words shown as heard after ${marks / 10} s of them`;
  }

  /** `free`: there are speakers, and none has queued sound. */
  look(now: number, free: boolean): void {
    if (this.#expected.length === 0 || !free) this.#progressAt = now;
    else if (now - this.#progressAt > heardWithinMs)
      this.wrong ??= `${this.#expected.length / 10} s of an answer came, were not cut, and were never heard`;
  }
}

const rate = 24_000;
const secondsPerWord = 0.4;
/** Each tenth of a second has its own loudness, which tells which part is heard. */
const markSamples = rate / 10;
const lowest = 0.1;
const stepBetween = 0.0005;
/** Shorter than any mark, and longer than the transition that a slower tempo inserts. */
const minRun = rate / 50;

const texts = {
  hello: 'Hello, I am the demonstration.',
  hear: 'I can hear you.',
  sorry: 'Sorry, go on.',
  see: 'I can see your picture.',
  turns: 'Now it is my turn.',
  recorded: 'Everything I say was recorded.',
  loudness: 'I notice by loudness.',
  interrupt: 'You may interrupt me.',
  again: 'There you are again.',
  only: 'I am only a demonstration.',
  connect: 'Connect Parley to a real server.',
  written: 'My answer is written in the text.',
} as const;

/** The demonstration's sentences as sequences of marks. */
export function markedSpeech(): DemoSpeech {
  let mark = 0;
  const clips = Object.entries(texts).map(([id, text]): DemoClip => {
    const words = text.split(' ').map((word, at) => ({
      text: word,
      start: at * secondsPerWord,
      end: (at + 1) * secondsPerWord,
    }));
    const audio = new Float32Array(words.length * secondsPerWord * rate);
    for (let from = 0; from < audio.length; from += markSamples) {
      mark += 1;
      audio.fill(lowest + mark * stepBetween, from, from + markSamples);
    }
    return { id, text, words, audio };
  });
  return { clips };
}

/** Finds marks in a stream of samples, each once, as soon as it is long enough. */
class MarkReader {
  #last = 0;
  #run = 0;
  #lastMark: number | undefined;

  /** Starts again: earlier samples are unrelated to the next. */
  reset(): void {
    this.#last = 0;
    this.#run = 0;
    this.#lastMark = undefined;
  }

  read(samples: Float32Array): readonly number[] {
    const marks: number[] = [];
    for (const sample of samples) {
      if (sample === this.#last) this.#run += 1;
      else {
        this.#last = sample;
        this.#run = 1;
      }
      if (this.#run !== minRun) continue;
      const mark = markOf(sample);
      if (mark === undefined || mark === this.#lastMark) continue;
      this.#lastMark = mark;
      marks.push(mark);
    }
    return marks;
  }
}

function markOf(sample: number): number | undefined {
  const place = (sample - lowest) / stepBetween;
  const mark = Math.round(place);
  return mark > 0 && Math.abs(place - mark) < 0.01 ? mark : undefined;
}
