import type { AppError } from '../../../shared/errors/app-error.ts';
import type { Bridge, BridgeConnection, PostedNotice } from '../../../shared/ipc/bridge.ts';
import type { Notice, RequestValue, SnapshotName } from '../../../shared/ipc/contract.ts';
import type { Reply } from '../../../shared/ipc/reply.ts';
import { Listeners } from '../../../shared/listeners.ts';

export type { Bridge, BridgeConnection };

/** What the core posts without being asked, for those who do not know ipc. */
export type BridgeNotice = Notice;

/** Asks for something, and says whether it was done; why not is said where the asker says such things. */
export type Ask = (...request: Parameters<Bridge['request']>) => Promise<boolean>;

export function createAsk(request: Bridge['request'], failed: (error: AppError) => void): Ask {
  return async (...[name, input]) => {
    const reply = await request(name, input);
    if (!reply.ok) failed(reply.error);
    return reply.ok;
  };
}

/** A bridge whose replies and notices come in the order in which the core made them. */
export interface OrderedBridge extends Bridge {
  /**
   * Asks for something whole and puts it to its place. What was told of its changes meanwhile comes
   * after it, as far as it is not in it.
   */
  readonly read: <Name extends SnapshotName>(
    name: Name,
    apply: (value: RequestValue<Name>) => void,
  ) => Promise<Reply<RequestValue<Name>>>;
}

/**
 * A reply is as old as the moment it was made, and notices that were made before or after it may
 * overtake it. While one is awaited, the notices of its subject wait; by their revisions those that
 * are in it are let go.
 */
export function orderReplies(bridge: Bridge): OrderedBridge {
  const listeners = new Listeners<PostedNotice>();
  const awaited = new Map<SnapshotName, number>();
  /** The revision up to which everything is in what was put to its place. */
  const applied = new Map<SnapshotName, number>();
  let held: PostedNotice[] = [];

  const take = (told: PostedNotice): void => {
    const { changes, revision } = told;
    if (changes !== undefined && awaited.has(changes)) held.push(told);
    else if (changes === undefined || revision > (applied.get(changes) ?? -1)) listeners.emit(told);
  };

  const release = (): void => {
    const now = held;
    held = [];
    for (const told of now) take(told);
  };

  bridge.onNotice((notice, revision, changes) => take({ notice, revision, changes }));
  /** Whether it is no older than what is there. One that another reply has overtaken is. */
  const advanceTo = (name: SnapshotName, revision: number): boolean => {
    if (revision < (applied.get(name) ?? -1)) return false;
    applied.set(name, revision);
    return true;
  };

  return {
    ...bridge,
    onNotice: (hear) => {
      listeners.add(({ notice, revision, changes }) => hear(notice, revision, changes));
    },
    onConnection: (hear) => {
      bridge.onConnection((connection) => {
        // Another core counts from its own beginning.
        applied.clear();
        hear(connection);
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
        release();
      }
    },
  };
}
