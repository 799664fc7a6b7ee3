import { closedQuick, type QuickState } from '../../shared/cursor/quick-view.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

/** The content of the small window, except its conversation. */
export class CursorView {
  readonly #post: PostNotice;
  #state: QuickState = closedQuick;

  constructor(post: PostNotice) {
    this.#post = post;
  }

  get state(): QuickState {
    return this.#state;
  }

  change(part: Partial<QuickState>): void {
    this.#state = { ...this.#state, ...part };
    this.#post('quickChanged', this.#state);
  }

  /** Closes the surface. The count of openings goes on. */
  reset(): void {
    const { opened } = this.#state;
    this.change({ ...closedQuick, opened, error: undefined });
  }
}
