import type { PostedNotice } from '../../shared/ipc/bridge.ts';

/** What comes within this after a notice goes with the next: a screen is not drawn more often. */
const restMs = 8;
/** A page that gets many at once needs a while for them, in which it should not get the next. */
const notePerMs = 10;
const maxRestMs = 100;
/** A page is busy for about 10 ms with as many, and then has its turn for what the person does. */
const maxInOne = 200;

/**
 * Passes notices on: at once where there are few, and many in one message where a server makes thousands
 * a second of them, so that a page draws once for all of them.
 */
export class NoticeBatches {
  readonly #send: (batch: readonly PostedNotice[]) => void;
  #waiting: PostedNotice[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (batch: readonly PostedNotice[]) => void) {
    this.#send = send;
  }

  readonly add = (posted: PostedNotice): void => {
    this.#waiting.push(posted);
    if (this.#timer === undefined) this.#flush();
  };

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #flush(): void {
    this.#timer = undefined;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    const rest = Math.min(maxRestMs, restMs + batch.length / notePerMs);
    this.#timer = setTimeout(() => {
      this.#flush();
    }, rest);
    for (let from = 0; from < batch.length; from += maxInOne)
      this.#send(batch.slice(from, from + maxInOne));
  }
}
