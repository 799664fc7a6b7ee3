import type { CaptionTimeline } from './caption-timeline.ts';
import type { CaptionTurn } from './caption-turn.ts';

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
export function createCue(
  turn: CaptionTurn,
  begins: number,
  timeline: Pick<CaptionTimeline, 'startOf' | 'endOf'>,
): Cue | undefined {
  if (turn.length === 0 || turn.words.length === 0) return undefined;
  const words = turn.words.map(({ text }, index) => ({
    text,
    start: timeline.startOf(begins + turn.startOf(index)),
    end: timeline.endOf(begins + turn.startOf(index + 1)),
  }));
  return { turn: turn.turn, words };
}
