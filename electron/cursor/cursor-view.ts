import { closedQuick, type QuickState } from '../../shared/cursor/quick-view.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

/** The state of the small window, except its conversation. Posts each change to the page. */
export class CursorView {
  readonly #post: PostNotice;
  #state: QuickState = closedQuick;

  constructor(post: PostNotice) {
    this.#post = post;
  }

  get state(): QuickState {
    return this.#state;
  }

  change(changes: Partial<QuickState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#post('quickChanged', this.#state);
  }

  /** Resets everything except the count of openings and the dictation, which may go on. */
  reset(): void {
    const { opened, dictation } = this.#state;
    this.change({ ...closedQuick, opened, dictation, error: undefined });
  }
}
