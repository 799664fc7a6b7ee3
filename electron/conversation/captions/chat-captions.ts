import { CaptionTurn } from './caption-turn.ts';
import { updateSpeechPace, defaultSpeechPace } from './word-alignment.ts';

/** What of a turn has been said at a moment, and what is known to follow. */
export interface ChatCaption {
  readonly turn: number;
  readonly spoken: string;
  readonly upcoming: string;
}

/**
 * Text against the playhead. The server says no word's time: it is found by the step a word came
 * with, its length, and the pauses of the sound. A word that has once been said is not taken back.
 */
export interface ChatCaptions {
  readonly text: (turn: number, text: string) => void;
  /** The sound that came with what was written last; it is looked at and not kept. */
  readonly audio: (turn: number, sound: Float32Array) => void;
  readonly turnEnded: (turn: number) => void;
  /** `playhead`: samples of the answer that were heard since the beginning, without silence. */
  readonly at: (playhead: number) => ChatCaption;
}

export function createChatCaptions(): ChatCaptions {
  const turns = new Map<number, CaptionTurn>();
  const spokenWords = new Map<number, number>();
  let pace = defaultSpeechPace;

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
      pace = updateSpeechPace(pace, ended.pace);
    },
    at: (playhead) => {
      const all = withStarts();
      // Where everything has been heard, the last turn: more of it may come.
      const now = all.find(([turn, start]) => playhead < start + turn.length) ?? all.at(-1);
      if (now === undefined) return { turn: 0, spoken: '', upcoming: '' };
      const [turn, start] = now;
      const begun = turn.wordsSpokenAt(playhead - start);
      const spoken = Math.max(begun, spokenWords.get(turn.turn) ?? 0);
      spokenWords.set(turn.turn, spoken);
      const words = turn.words.map(({ text }) => text);
      return {
        turn: turn.turn,
        spoken: words.slice(0, spoken).join('').trim(),
        upcoming: words.slice(spoken).join('').trim(),
      };
    },
  };
}
