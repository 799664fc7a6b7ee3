import { isHighRateNotice, type PostedNotice } from '../../../shared/ipc/bridge.ts';

/** The least time between two batches, because most screens draw no faster. */
const minIntervalMs = 8;
/**
 * How many notices a page handles in a millisecond. After a large batch, the next batch waits until the page should have
 * handled it.
 */
const noticesPerMs = 10;
const maxIntervalMs = 100;
/** Levels arrive forty times a second. Batches of them at this interval let a page draw less often. */
const levelIntervalMs = 60;
/** Notices in one message. */
const maxBatchSize = 200;

/**
 * Sends a few notices immediately and many as one batch, so that a page draws once when a server sends thousands a
 * second.
 */
export class NoticeBatches {
  readonly #send: (batch: readonly PostedNotice[]) => void;
  #pending: PostedNotice[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Infinity;
  /** The earliest time for the next batch. It is compared when a notice arrives, so that an idle page needs no timer. */
  #notBefore = 0;

  constructor(send: (batch: readonly PostedNotice[]) => void) {
    this.#send = send;
  }

  readonly add = (posted: PostedNotice): void => {
    this.#pending.push(posted);
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
    this.#pending = [];
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
  }

  #flush(now: number): void {
    this.#dueAt = Infinity;
    const batch = this.#pending;
    this.#pending = [];
    this.#notBefore = now + Math.min(maxIntervalMs, minIntervalMs + batch.length / noticesPerMs);
    sendInParts(batch, this.#send);
  }
}

/** Splits a large batch into messages, because the page can handle input between two of them. */
function sendInParts(
  batch: readonly PostedNotice[],
  send: (part: readonly PostedNotice[]) => void,
): void {
  for (let from = 0; from < batch.length; from += maxBatchSize)
    send(batch.slice(from, from + maxBatchSize));
}

/** A hidden page gets its pending notices when there are more than this. */
const maxPending = 2000;

interface Deps {
  readonly isVisible: () => boolean;
  readonly send: (batch: readonly PostedNotice[]) => void;
}

/**
 * Sends notices to one window's page. While the page is hidden, high-rate notices wait and levels are dropped.
 * Any other notice is sent at once, after all earlier ones.
 */
export class PageNotices {
  readonly #deps: Deps;
  #pending: PostedNotice[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly post = (batch: readonly PostedNotice[]): void => {
    const isVisible = this.#deps.isVisible();
    const relevant = isVisible ? batch : batch.filter(({ notice }) => notice.name !== 'level');
    this.#pending.push(...relevant);
    const canWait = !isVisible && relevant.every(({ notice }) => isHighRateNotice(notice.name));
    if (!canWait || this.#pending.length > maxPending) this.flush();
  };

  /** Sends the pending notices, when the page becomes visible. */
  readonly flush = (): void => {
    const batch = this.#pending;
    this.#pending = [];
    sendInParts(batch, this.#deps.send);
  };

  /** Drops the pending notices, because a new page requests its state itself. */
  readonly forget = (): void => {
    this.#pending = [];
  };
}
