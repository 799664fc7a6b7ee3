import { createCaptionTimeline } from './caption-timeline.ts';
import { CaptionTurn } from './caption-turn.ts';
import { learntPace, usualPace } from './word-places.ts';

/** What of a turn has been said at a moment, and what is known to follow. */
export interface Caption {
  readonly turn: number;
  readonly spoken: string;
  readonly upcoming: string;
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

/**
 * Text against the playhead. The server says no word's time: it is found by the step a word came
 * with, its length, and the pauses of the sound. A word that has once been said is not taken back.
 */
export interface Captions {
  readonly text: (turn: number, text: string) => void;
  /** The sound that came with what was written last; it is looked at and not kept. */
  readonly audio: (turn: number, sound: Float32Array) => void;
  readonly turnEnded: (turn: number) => void;
  /** The rest of the turn's sound was thrown away after so many of its samples. */
  readonly flushed: (turn: number, heardSamples: number) => void;
  /**
   * @param playhead samples of the answer that were heard since the beginning, without silence
   * @param ms when that is; times of cues are on this line, else on that of the sound alone
   */
  readonly at: (playhead: number, ms?: number) => Caption;
  readonly cues: () => readonly Cue[];
}

export function createCaptions(): Captions {
  const turns = new Map<number, CaptionTurn>();
  const mostSpoken = new Map<number, number>();
  const timeline = createCaptionTimeline();
  let pace = usualPace;

  const of = (turn: number): CaptionTurn => {
    const known = turns.get(turn);
    if (known !== undefined) return known;
    const made = new CaptionTurn(turn, pace);
    turns.set(turn, made);
    return made;
  };

  const withStarts = (): readonly (readonly [CaptionTurn, number])[] => {
    let start = 0;
    return [...turns.values()].map((turn) => {
      const begins = start;
      start += turn.length;
      return [turn, begins];
    });
  };

  return {
    text: (turn, text) => {
      of(turn).addText(text);
    },
    audio: (turn, sound) => {
      of(turn).addSound(sound);
    },
    turnEnded: (turn) => {
      const ended = of(turn);
      ended.end();
      pace = learntPace(pace, ended.pace);
    },
    flushed: (turn, heardSamples) => {
      of(turn).cutAt(heardSamples);
    },
    at: (playhead, ms) => {
      if (ms !== undefined) timeline.observe(playhead, ms);
      const all = withStarts();
      // Where everything has been heard, the last turn: more of it may come.
      const now = all.find(([turn, start]) => playhead < start + turn.length) ?? all.at(-1);
      if (now === undefined) return { turn: 0, spoken: '', upcoming: '' };
      const [turn, start] = now;
      const begun = turn.wordsSpokenAt(playhead - start);
      const spoken = Math.max(begun, mostSpoken.get(turn.turn) ?? 0);
      mostSpoken.set(turn.turn, spoken);
      const words = turn.words.map(({ text }) => text);
      return {
        turn: turn.turn,
        spoken: words.slice(0, spoken).join('').trim(),
        upcoming: words.slice(spoken).join('').trim(),
      };
    },
    cues: () =>
      withStarts()
        .filter(([turn]) => turn.length > 0 && turn.words.length > 0)
        .map(([turn, start]) => ({
          turn: turn.turn,
          words: turn.words.map(({ text }, index) => ({
            text,
            start: timeline.startOf(start + turn.startOf(index)),
            end: timeline.endOf(start + turn.startOf(index + 1)),
          })),
        })),
  };
}
