import { isChordPressed, isChordReleased, parseChord } from '../../../shared/keys/key-chord.ts';
import type { KeyStroke } from '../../../shared/keys/key-chord.ts';

/**
 * Of all keys, only one chord: each press of it once, however often the keyboard repeats it, and its
 * release when either part comes up.
 */
export class ChordWatch {
  readonly #chord;
  #isDown = false;

  constructor(chord: string) {
    this.#chord = parseChord(chord);
  }

  keyDown(stroke: KeyStroke): 'press' | undefined {
    if (this.#isDown || !isChordPressed(this.#chord, stroke)) return undefined;
    this.#isDown = true;
    return 'press';
  }

  keyUp(code: string): 'release' | undefined {
    if (!this.#isDown || !isChordReleased(this.#chord, code)) return undefined;
    this.#isDown = false;
    return 'release';
  }
}
