import { Listeners } from '../../shared/listeners.ts';
import type { Notice, NoticeName, Notices } from '../../shared/ipc/contract.ts';

/** Where the core posts notices and each transport listens. */
export class NoticeBoard {
  readonly #listeners: Listeners<Notice>;

  constructor(failed?: (error: unknown) => void) {
    this.#listeners = new Listeners(failed);
  }

  post<Name extends NoticeName>(name: Name, payload: Notices[Name]): void {
    // Which name goes with which payload is in the type parameter, and lost in a literal.
    const notice = { name, payload } as Notice;
    this.#listeners.tell(notice);
  }

  /** Listens until the returned function is called. */
  listen(listener: (notice: Notice) => void): () => void {
    return this.#listeners.add(listener);
  }
}
