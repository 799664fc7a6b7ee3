import { isHighRateNotice, type PostedNotice } from '../../../shared/ipc/bridge.ts';

/** Notices that follow a batch within this time wait for the next one: a screen draws no faster. */
const restMs = 8;
/** A page needs time for a large batch before it gets the next: this many notices per ms. */
const notePerMs = 10;
const maxRestMs = 100;
/** Levels arrive forty times a second, but the page paints them fifteen times. */
const levelsRestMs = 60;
/** A page needs about 10 ms for this many. */
const maxInOne = 200;

/**
 * Sends few notices at once and many in one batch, so that a page draws once when a server sends thousands a
 * second.
 */
export class NoticeBatches {
  readonly #send: (batch: readonly PostedNotice[]) => void;
  #waiting: PostedNotice[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Infinity;
  /** The next batch leaves no earlier. It is only compared, so an idle page sets no timer. */
  #restsUntil = 0;

  constructor(send: (batch: readonly PostedNotice[]) => void) {
    this.#send = send;
  }

  readonly add = (posted: PostedNotice): void => {
    this.#waiting.push(posted);
    const now = performance.now();
    const patience = posted.notice.name === 'level' ? levelsRestMs : 0;
    const dueAt = Math.max(now + patience, this.#restsUntil);
    if (dueAt >= this.#dueAt) return;
    this.#stopTimer();
    if (dueAt <= now) {
      this.#flush(now);
      return;
    }
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => this.#flush(performance.now()), dueAt - now);
  };

  end(): void {
    this.#stopTimer();
    this.#waiting = [];
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
  }

  #flush(now: number): void {
    this.#dueAt = Infinity;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#restsUntil = now + Math.min(maxRestMs, restMs + batch.length / notePerMs);
    sendInParts(batch, this.#send);
  }
}

/** The page can handle input between two messages. */
function sendInParts(
  batch: readonly PostedNotice[],
  send: (part: readonly PostedNotice[]) => void,
): void {
  for (let from = 0; from < batch.length; from += maxInOne)
    send(batch.slice(from, from + maxInOne));
}

/** Notices that a hidden page may have waiting. */
const maxHeld = 2000;

interface Deps {
  readonly isSeen: () => boolean;
  readonly send: (batch: readonly PostedNotice[]) => void;
}

/**
 * Sends notices to one window's page. While the page is hidden, streaming notices wait and levels are dropped.
 * Any other notice is sent at once, after all earlier ones.
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
    const waits = !seen && kept.every(({ notice }) => isHighRateNotice(notice.name));
    if (!waits || this.#held.length > maxHeld) this.flush();
  };

  /** Sends what waited, when the page becomes visible. */
  readonly flush = (): void => {
    const batch = this.#held;
    this.#held = [];
    sendInParts(batch, this.#deps.send);
  };

  /** Drops what waited: a new page requests its state itself. */
  readonly forget = (): void => {
    this.#held = [];
  };
}
