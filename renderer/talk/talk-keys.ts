import type { TalkingMode } from '../../shared/talk/talk-controls.ts';

export interface KeyPress {
  readonly code: string;
  readonly key: string;
  readonly repeat: boolean;
  /** With Control, Meta, Alt or AltGr: somebody else's. */
  readonly modified: boolean;
  readonly composing: boolean;
  /** Where the key goes by itself: a text being written, a menu, a button reached by keyboard. */
  readonly busy: boolean;
}

export interface KeyWishes {
  readonly talking: TalkingMode;
  /** There is a talk to press a key for. */
  readonly live: boolean;
}

export type KeyDeed = 'press' | 'release' | 'lost' | 'interrupt';

/**
 * What the keys of the window mean for a talk: Space is the talk key, Escape interrupts. `take` says
 * that nobody else is to act on it, also where nothing is done, as with a repeated one.
 */
export class TalkKeys {
  #down = false;

  get down(): boolean {
    return this.#down;
  }

  keyDown(press: KeyPress, { talking, live }: KeyWishes): { deed?: KeyDeed; take: boolean } {
    const ours = live && !press.modified && !press.composing && !press.busy;
    if (press.key === 'Escape' && ours) {
      return press.repeat ? { take: true } : { deed: 'interrupt', take: true };
    }
    if (press.code !== 'Space' || talking === 'open') return { take: false };
    if (this.#down) return { take: true };
    if (!ours) return { take: false };
    // A key that is held since before the talk, or since a menu closed, was not pressed for it.
    if (press.repeat) return { take: true };
    this.#down = true;
    return { deed: 'press', take: true };
  }

  /** It comes up whatever else has changed meanwhile. */
  keyUp(press: Pick<KeyPress, 'code'>): { deed?: KeyDeed; take: boolean } {
    if (press.code !== 'Space' || !this.#down) return { take: false };
    this.#down = false;
    return { deed: 'release', take: true };
  }

  /** The window lost the keyboard: whether the key is still down, nobody can say. */
  blurred(): KeyDeed | undefined {
    if (!this.#down) return undefined;
    this.#down = false;
    return 'lost';
  }
}
