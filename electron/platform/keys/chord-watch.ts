import {
  isChordPressed,
  isChordReleased,
  type KeyChord,
  type KeyStroke,
  parseChord,
} from '../../../shared/talk/global-key.ts';

/** Reports one press of each chord despite key repeat, and a release when any of its keys comes up. */
export class ChordWatch {
  readonly #chords;
  readonly #down = new Set<number>();

  constructor(chords: readonly string[]) {
    this.#chords = chords.map((chord) => parseChord(chord));
  }

  /** The index of the pressed chord. With an extra Shift, two chords may match; the one with more modifiers counts. */
  keyDown(stroke: KeyStroke): number | undefined {
    const modifiers = (index: number): number => this.#chords[index]?.modifiers.size ?? 0;
    const [pressed] = this.#matching((chord) => isChordPressed(chord, stroke)).toSorted(
      (one, other) => modifiers(other) - modifiers(one),
    );
    if (pressed === undefined || this.#down.has(pressed)) return undefined;
    this.#down.add(pressed);
    return pressed;
  }

  keyUp(code: string): readonly number[] {
    const released = this.#matching((chord) => isChordReleased(chord, code));
    return released.filter((index) => this.#down.delete(index));
  }

  #matching(accept: (chord: KeyChord) => boolean): readonly number[] {
    return this.#chords.flatMap((chord, index) => (accept(chord) ? [index] : []));
  }
}
