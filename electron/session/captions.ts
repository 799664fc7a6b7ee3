import { createCaptionTimeline } from './caption-timeline.ts';
import { CaptionTurn } from './caption-turn.ts';

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
 * Text against the playhead. The server says text and sound apart, so a word's place in the sound is
 * its place in the text, in proportion; a word that has once been said is not taken back.
 */
export interface Captions {
  readonly text: (turn: number, text: string) => void;
  readonly audio: (turn: number, samples: number) => void;
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

  const of = (turn: number): CaptionTurn => {
    const known = turns.get(turn);
    if (known !== undefined) return known;
    const made = new CaptionTurn(turn);
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
    audio: (turn, samples) => {
      of(turn).addSound(samples);
    },
    turnEnded: (turn) => {
      of(turn).end();
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
          words: turn.words.map(({ text, from, to }) => ({
            text,
            start: timeline.startOf(start + turn.sampleAt(from)),
            end: timeline.endOf(start + turn.sampleAt(to)),
          })),
        })),
  };
}
