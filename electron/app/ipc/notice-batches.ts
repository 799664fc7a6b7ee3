import { isFlowing, type PostedNotice } from '../../../shared/ipc/bridge.ts';

/** What comes within this after a notice goes with the next: a screen is not drawn more often. */
const restMs = 8;
/** A page that gets many at once needs a while for them, in which it should not get the next. */
const notePerMs = 10;
const maxRestMs = 100;
/** Levels come one voice after the other, forty times a second; fifteen pictures are painted of them. */
const levelsRestMs = 60;
/** A page is busy for about 10 ms with as many. */
const maxInOne = 200;

/**
 * Passes notices on: at once where there are few, and many in one message where a server makes thousands
 * a second of them, so that a page draws once for all of them.
 */
export class NoticeBatches {
  readonly #send: (batch: readonly PostedNotice[]) => void;
  #waiting: PostedNotice[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Infinity;
  /** Nothing goes before. It is only looked at: where nothing comes, nothing wakes up when it is past. */
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

/** A page has its turn for what the person does between them. */
function sendInParts(
  batch: readonly PostedNotice[],
  send: (part: readonly PostedNotice[]) => void,
): void {
  for (let from = 0; from < batch.length; from += maxInOne)
    send(batch.slice(from, from + maxInOne));
}

/** More is not kept for a page that nobody looks at. */
const maxHeld = 2000;

interface Deps {
  readonly isSeen: () => boolean;
  readonly send: (batch: readonly PostedNotice[]) => void;
}

/**
 * What one window's page is told. While nobody can see it what flows by itself waits, so that a page behind nothing does
 * nothing, and levels are past; anything else goes at once, after all that was posted before it.
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
    const waits = !seen && kept.every(({ notice }) => isFlowing(notice.name));
    if (!waits || this.#held.length > maxHeld) this.flush();
  };

  /** Somebody can see it again. */
  readonly flush = (): void => {
    const batch = this.#held;
    this.#held = [];
    sendInParts(batch, this.#deps.send);
  };

  /** Another page asks for what it is to know. */
  readonly forget = (): void => {
    this.#held = [];
  };
}
