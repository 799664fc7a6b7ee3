import type { Notice, NoticeName, Notices } from '../../shared/ipc/contract.ts';

type Listener = (notice: Notice) => void;

/** Where the core posts notices and each transport listens. */
export class NoticeBoard {
  readonly #listeners = new Set<Listener>();

  post<Name extends NoticeName>(name: Name, payload: Notices[Name]): void {
    // Which name goes with which payload is in the type parameter, and lost in a literal.
    const notice = { name, payload } as Notice;
    for (const listener of this.#listeners) listener(notice);
  }

  /** Listens until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
