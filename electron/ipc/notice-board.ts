import { Listeners } from '../../shared/listeners.ts';
import type { Notice, NoticeName, Notices } from '../../shared/ipc/contract.ts';

interface Posted {
  readonly notice: Notice;
  readonly revision: number;
}

/** Where the core posts notices and each transport listens. */
export class NoticeBoard {
  readonly #listeners: Listeners<Posted>;
  readonly #made = new WeakMap<object, number>();
  #revision = 0;

  constructor(failed?: (error: unknown) => void) {
    this.#listeners = new Listeners(failed);
  }

  /** How many notices were posted: what is made now has seen the changes of all of them. */
  get revision(): number {
    return this.#revision;
  }

  post<Name extends NoticeName>(name: Name, payload: Notices[Name]): void {
    this.#revision += 1;
    // Which name goes with which payload is in the type parameter, and lost in a literal.
    const notice = { name, payload } as Notice;
    this.#listeners.emit({ notice, revision: this.#revision });
  }

  /** Listens until the returned function is called. */
  listen(listener: (notice: Notice, revision: number) => void): () => void {
    return this.#listeners.add(({ notice, revision }) => {
      listener(notice, revision);
    });
  }

  /** Notes when it was made, for what is on its way for a while before it becomes a reply. */
  stamp<Value extends object>(value: Value): Value {
    this.#made.set(value, this.#revision);
    return value;
  }

  stampOf(value: unknown): number | undefined {
    return typeof value === 'object' && value !== null ? this.#made.get(value) : undefined;
  }
}
