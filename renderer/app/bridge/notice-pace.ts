import { Deque } from '../../../shared/deque.ts';
import { isFlowing } from '../../../shared/ipc/bridge.ts';
import type { BridgeNotice } from './ordered-bridge.ts';

/** Of a frame's 16 ms: the rest is for drawing what came of it, and for the person. */
const budgetMs = 8;
/** The clock is looked at after as many. */
const step = 100;
/** In a flood the page is drawn with every fourth frame: nobody reads faster, and the rest is the person's. */
const floodFrames = 4;

interface Deps {
  readonly apply: (notices: readonly BridgeNotice[]) => void;
  readonly now: () => number;
  /** Runs once, before the next time the page is drawn; soon where it is not drawn. */
  readonly nextFrame: (run: () => void) => void;
  /** Runs once, with whatever else moves by itself. */
  readonly nextBeat: (run: () => void) => void;
}

/**
 * What the page makes of notices, by the frame: the first at once, what comes in its wake with the next frame,
 * and of a flood as much a frame as leaves the page its turn. However they come, the page is drawn once for them.
 * What flows by itself waits for the beat, or for something that does not.
 */
export class NoticePace {
  readonly #deps: Deps;
  readonly #waiting = new Deque<BridgeNotice>();
  #frameAsked = false;
  #beatAsked = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly add = (notice: BridgeNotice): void => {
    this.#waiting.push(notice);
    if (this.#frameAsked) return;
    if (isFlowing(notice.name)) this.#askBeat();
    else this.#begin();
  };

  /** All of it at once: what comes now is newer than that. */
  readonly flush = (): void => {
    if (this.#waiting.length > 0) this.#deps.apply(this.#take(this.#waiting.length));
  };

  #askBeat(): void {
    if (this.#beatAsked) return;
    this.#beatAsked = true;
    this.#deps.nextBeat(() => {
      this.#beatAsked = false;
      if (this.#frameAsked) return;
      this.#takeSome();
      // Of a flood; else nothing is left that a frame would be asked for.
      if (this.#waiting.length > 0) this.#askFrame(floodFrames);
    });
  }

  /** What comes in the wake of it waits for the next frame. */
  #begin(): void {
    this.#askFrame(this.#waiting.length > step ? floodFrames : 1);
    this.#takeSome();
  }

  /** As much of what waits as leaves the page its turn. */
  #takeSome(): void {
    const { now, apply } = this.#deps;
    const began = now();
    while (this.#waiting.length > 0) {
      apply(this.#take(step));
      if (now() - began >= budgetMs) return;
    }
  }

  #askFrame(frames = 1): void {
    this.#frameAsked = true;
    this.#deps.nextFrame(() => {
      if (frames > 1) {
        this.#askFrame(frames - 1);
        return;
      }
      this.#frameAsked = false;
      if (this.#waiting.length > 0) this.#begin();
    });
  }

  #take(most: number): readonly BridgeNotice[] {
    const taken: BridgeNotice[] = [];
    while (taken.length < most) {
      const notice = this.#waiting.shift();
      if (notice === undefined) break;
      taken.push(notice);
    }
    return taken;
  }
}
