import type { Clock } from '../ports/clock.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

interface Deps {
  readonly clock: Pick<Clock, 'after'>;
  readonly post: PostNotice;
}

/** While many are read there is one change after the other, and a page asks anew after each. */
const everyMs = 500;

/** Posts that the list is another one: at once, and then not more often than pages can follow. */
export class HistoryChanges {
  readonly #deps: Deps;
  #count = 0;
  #posted = 0;
  #stop: (() => void) | undefined;
  #over = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly changed = (): void => {
    // What is written at the very end changes a list that nobody looks at any more.
    if (this.#over) return;
    this.#count += 1;
    if (this.#stop !== undefined) return;
    this.#post();
    this.#wait();
  };

  end(): void {
    this.#over = true;
    this.#stop?.();
  }

  #wait(): void {
    this.#stop = this.#deps.clock.after(everyMs, () => {
      this.#stop = undefined;
      if (this.#posted === this.#count) return;
      this.#post();
      this.#wait();
    });
  }

  #post(): void {
    this.#posted = this.#count;
    this.#deps.post('historyChanged', { count: this.#count });
  }
}
