import { isHighRateNotice, type PostedNotice } from '../../../shared/ipc/bridge.ts';

/** Notices that follow a batch within this time wait for the next one: a screen draws no faster. */
const minIntervalMs = 8;
/** A page needs time for a large batch before it gets the next: this many notices per ms. */
const noticesPerMs = 10;
const maxIntervalMs = 100;
/** Levels arrive forty times a second, but the page paints them fifteen times. */
const levelIntervalMs = 60;
/** A page needs about 10 ms for this many. */
const maxBatchSize = 200;

/**
 * Sends a few notices immediately and many as one batch, so that a page draws once when a server sends thousands a
 * second.
 */
export class NoticeBatches {
  readonly #send: (batch: readonly PostedNotice[]) => void;
  #waiting: PostedNotice[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Infinity;
  /** Earliest time of the next batch, compared when a notice arrives, so that an idle page needs no timer. */
  #notBefore = 0;

  constructor(send: (batch: readonly PostedNotice[]) => void) {
    this.#send = send;
  }

  readonly add = (posted: PostedNotice): void => {
    this.#waiting.push(posted);
    const now = performance.now();
    const minDelay = posted.notice.name === 'level' ? levelIntervalMs : 0;
    const dueAt = Math.max(now + minDelay, this.#notBefore);
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
    this.#notBefore = now + Math.min(maxIntervalMs, minIntervalMs + batch.length / noticesPerMs);
    sendInParts(batch, this.#send);
  }
}

/** The page can handle input between two messages. */
function sendInParts(
  batch: readonly PostedNotice[],
  send: (part: readonly PostedNotice[]) => void,
): void {
  for (let from = 0; from < batch.length; from += maxBatchSize)
    send(batch.slice(from, from + maxBatchSize));
}

/** Notices that a hidden page may have waiting. */
const maxWaiting = 2000;

interface Deps {
  readonly isSeen: () => boolean;
  readonly send: (batch: readonly PostedNotice[]) => void;
}

/**
 * Sends notices to one window's page. While the page is hidden, high-rate notices wait and levels are dropped.
 * Any other notice is sent at once, after all earlier ones.
 */
export class PageNotices {
  readonly #deps: Deps;
  #waiting: PostedNotice[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly post = (batch: readonly PostedNotice[]): void => {
    const seen = this.#deps.isSeen();
    const kept = seen ? batch : batch.filter(({ notice }) => notice.name !== 'level');
    this.#waiting.push(...kept);
    const waits = !seen && kept.every(({ notice }) => isHighRateNotice(notice.name));
    if (!waits || this.#waiting.length > maxWaiting) this.flush();
  };

  /** Sends what waited, when the page becomes visible. */
  readonly flush = (): void => {
    const batch = this.#waiting;
    this.#waiting = [];
    sendInParts(batch, this.#deps.send);
  };

  /** Drops what waited: a new page requests its state itself. */
  readonly forget = (): void => {
    this.#waiting = [];
  };
}
