import { isFlowing } from '../../shared/talk/flowing-notices.ts';
import type { PostedNotice } from '../../shared/ipc/bridge.ts';
import { sendInParts } from './notice-batches.ts';

/** More is not kept for a page that nobody looks at. */
const maxHeld = 2000;

interface Deps {
  readonly isSeen: () => boolean;
  readonly send: (batch: readonly PostedNotice[]) => void;
}

/**
 * What one window's page is told. While nobody can see it what flows by itself waits, so that a page behind nothing does
 * nothing, and levels are past; anything else goes at once, after all that was posted before it.
 */
export class PageNotices {
  readonly #deps: Deps;
  #held: PostedNotice[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly tell = (batch: readonly PostedNotice[]): void => {
    const seen = this.#deps.isSeen();
    const kept = seen ? batch : batch.filter(({ notice }) => notice.name !== 'level');
    this.#held.push(...kept);
    const waits = !seen && kept.every(({ notice }) => isFlowing(notice.name));
    if (!waits || this.#held.length > maxHeld) this.flush();
  };

  /** Somebody can see it again. */
  readonly flush = (): void => {
    const batch = this.#held;
    this.#held = [];
    sendInParts(batch, this.#deps.send);
  };

  /** Another page asks for what it is to know. */
  readonly forget = (): void => {
    this.#held = [];
  };
}
