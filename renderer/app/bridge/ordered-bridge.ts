import { Deque } from '../../../shared/collections.ts';
import {
  type Bridge,
  type BridgeConnection,
  isHighRateNotice,
  type PostedNotice,
  type Reply,
} from '../../../shared/ipc/bridge.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import type { Notice, RequestValue, SnapshotName } from '../../../shared/ipc/contract.ts';
import { Listeners } from '../../../shared/listeners.ts';

export type { Bridge, BridgeConnection };

/** Alias for modules that do not import from `ipc`. */
export type BridgeNotice = Notice;

/** Sends a request and returns whether it succeeded. An error goes where the creator of the function decided. */
export type Ask = (...request: Parameters<Bridge['request']>) => Promise<boolean>;

export function createAsk(request: Bridge['request'], onError: (error: AppError) => void): Ask {
  return async (...[name, input]) => {
    const reply = await request(name, input);
    if (!reply.ok) onError(reply.error);
    return reply.ok;
  };
}

/** A bridge that delivers replies and notices in the order in which the core made them. */
export interface OrderedBridge extends Bridge {
  /** Reads and applies a snapshot. Notices posted meanwhile follow it, unless it already includes them. */
  readonly read: <Name extends SnapshotName>(
    name: Name,
    apply: (value: RequestValue<Name>) => void,
  ) => Promise<Reply<RequestValue<Name>>>;
}

/**
 * While a snapshot is requested, its notices are held back, because either can overtake the other. Notices
 * that the snapshot includes are dropped by their revision.
 */
export function orderReplies(bridge: Bridge): OrderedBridge {
  const listeners = new Listeners<PostedNotice>();
  const awaited = new Map<SnapshotName, number>();
  /** The revision of the last applied snapshot, by name. */
  const applied = new Map<SnapshotName, number>();
  let heldBack: PostedNotice[] = [];

  const deliver = (posted: PostedNotice): void => {
    const { changes, revision } = posted;
    if (changes !== undefined && awaited.has(changes)) heldBack.push(posted);
    else if (changes === undefined || revision > (applied.get(changes) ?? -1))
      listeners.emit(posted);
  };

  const deliverHeldBack = (): void => {
    const pending = heldBack;
    heldBack = [];
    for (const posted of pending) deliver(posted);
  };

  bridge.onNotice((notice, revision, changes) => deliver({ notice, revision, changes }));
  /** False if a newer snapshot was applied already. */
  const advanceTo = (name: SnapshotName, revision: number): boolean => {
    if (revision < (applied.get(name) ?? -1)) return false;
    applied.set(name, revision);
    return true;
  };

  return {
    ...bridge,
    onNotice: (listener) => {
      listeners.add(({ notice, revision, changes }) => listener(notice, revision, changes));
    },
    onConnection: (listener) => {
      bridge.onConnection((connection) => {
        // A new core counts revisions from zero.
        applied.clear();
        listener(connection);
      });
    },
    read: async (name, apply) => {
      awaited.set(name, (awaited.get(name) ?? 0) + 1);
      try {
        for (;;) {
          const reply = await bridge.request(name, undefined);
          if (reply.ok) {
            if (reply.revision !== undefined && !advanceTo(name, reply.revision)) continue;
            apply(reply.value);
          }
          return reply;
        }
      } finally {
        const others = (awaited.get(name) ?? 1) - 1;
        if (others > 0) awaited.set(name, others);
        else awaited.delete(name);
        deliverHeldBack();
      }
    },
  };
}

/** Budget within a frame of 16 ms; the rest is for rendering and input. */
const budgetMs = 8;
/** Notices per batch; the clock is checked after each batch. */
const batchSize = 100;
/** During a flood, notices are applied every fourth frame, which leaves time for input. */
const floodFrames = 4;

interface Deps {
  readonly apply: (notices: readonly BridgeNotice[]) => void;
  readonly now: () => number;
  /** Runs once before the next paint, or after a short delay if the page is hidden. */
  readonly nextFrame: (run: () => void) => void;
  /** Runs once on the next frame tick, with other animations. */
  readonly nextTick: (run: () => void) => void;
}

/**
 * Batches notices by frame, so that the page renders once per batch. The first one after a pause is applied at once, the
 * following ones with the next frame. High-rate notices wait for the next tick, or for a notice that is not high-rate.
 */
export class NoticePace {
  readonly #deps: Deps;
  readonly #waiting = new Deque<BridgeNotice>();
  #isFrameRequested = false;
  #isTickRequested = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly add = (notice: BridgeNotice): void => {
    this.#waiting.push(notice);
    if (this.#isFrameRequested) return;
    if (isHighRateNotice(notice.name)) this.#requestTick();
    else this.#begin();
  };

  /** Applies all waiting notices. Call it before applying newer state. */
  readonly flush = (): void => {
    if (this.#waiting.length > 0) this.#deps.apply(this.#take(this.#waiting.length));
  };

  #requestTick(): void {
    if (this.#isTickRequested) return;
    this.#isTickRequested = true;
    this.#deps.nextTick(() => {
      this.#isTickRequested = false;
      if (this.#isFrameRequested) return;
      this.#applyWithinBudget();
      // Notices remain only during a flood.
      if (this.#waiting.length > 0) this.#requestFrame(floodFrames);
    });
  }

  #begin(): void {
    this.#requestFrame(this.#waiting.length > batchSize ? floodFrames : 1);
    this.#applyWithinBudget();
  }

  /** Applies batches until the frame budget is used. */
  #applyWithinBudget(): void {
    const { now, apply } = this.#deps;
    const began = now();
    while (this.#waiting.length > 0) {
      apply(this.#take(batchSize));
      if (now() - began >= budgetMs) return;
    }
  }

  #requestFrame(frames = 1): void {
    this.#isFrameRequested = true;
    this.#deps.nextFrame(() => {
      if (frames > 1) {
        this.#requestFrame(frames - 1);
        return;
      }
      this.#isFrameRequested = false;
      if (this.#waiting.length > 0) this.#begin();
    });
  }

  #take(max: number): readonly BridgeNotice[] {
    const notices: BridgeNotice[] = [];
    while (notices.length < max) {
      const notice = this.#waiting.shift();
      if (notice === undefined) break;
      notices.push(notice);
    }
    return notices;
  }
}
