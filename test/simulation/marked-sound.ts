import type { DemoClip, DemoSpeech } from '../../electron/gateway/gateway-options.ts';

const rate = 24_000;
const secondsPerWord = 0.4;
/** Each tenth of a second has its own loudness, which tells which part is heard. */
export const markSamples = rate / 10;
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
export class MarkReader {
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
