import type { AppError } from '../../../shared/errors/app-error.ts';
import type { Bridge, BridgeConnection, PostedNotice } from '../../../shared/ipc/bridge.ts';
import type { Notice, RequestValue, SnapshotName } from '../../../shared/ipc/contract.ts';
import type { Reply } from '../../../shared/ipc/reply.ts';
import { Listeners } from '../../../shared/listeners.ts';

export type { Bridge, BridgeConnection };

/** Alias for modules that do not import from `ipc`. */
export type BridgeNotice = Notice;

/** Sends a request and returns whether it succeeded. The creator of the function handles errors. */
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
