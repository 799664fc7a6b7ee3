import { LiveCaptions } from '../../../../../electron/talk/captions/live-captions.ts';

interface Shown {
  readonly turn: number;
  text: string;
  heard: number;
  settled: boolean;
}

/** Captions assembled from patches. */
export class ShownCaptions {
  readonly #turns: Shown[] = [];
  readonly #live = new LiveCaptions({
    onPatch: ({ turn, added = '', heard, settled }) => {
      const shown = this.#of(turn);
      shown.text += added;
      shown.heard = heard ?? shown.heard;
      shown.settled ||= settled === true;
    },
    onSettled: () => undefined,
  });

  text(turn: number, text: string): void {
    this.#live.addText(turn, text);
  }

  audio(turn: number, sound: Float32Array): void {
    this.#live.addAudio(turn, sound);
  }

  turnEnded(turn: number): void {
    this.#live.onTurnEnd(turn);
  }

  /** State of the turn that is heard now, or was heard last. */
  at(playhead: number): {
    readonly turn: number;
    readonly spoken: string;
    readonly upcoming: string;
  } {
    this.#live.update(playhead);
    const now = this.#turns.find(({ settled }) => !settled) ?? this.#turns.at(-1);
    const { turn, text, heard } = now ?? { turn: 0, text: '', heard: 0 };
    return { turn, spoken: text.slice(0, heard).trim(), upcoming: text.slice(heard).trim() };
  }

  #of(turn: number): Shown {
    const known = this.#turns.find((shown) => shown.turn === turn);
    if (known !== undefined) return known;
    const made = { turn, text: '', heard: 0, settled: false };
    this.#turns.push(made);
    return made;
  }
}
