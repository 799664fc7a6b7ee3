import type { Clock } from '../ports/clock.ts';

/** A worker whose client just vanished is not ready for the next one before this, and refuses it. */
const recoveryMs = 750;

/** What somebody was given: a worker that is well, or one that still has its last client's end to digest. */
export interface WorkerSlot {
  readonly since: number;
  /** Until when it refuses whoever comes. */
  readonly unwellUntil: number;
}

/** Which of the workers are free, and how well those are. */
export interface WorkerSlots {
  readonly free: () => number;
  /** The one that is best off; nothing where none is free. */
  readonly take: () => WorkerSlot | undefined;
  readonly giveBack: (slot: WorkerSlot, how: SlotReturn) => void;
}

/** In good order; by a client that vanished; or never to be of use again. */
export type SlotReturn = 'clean' | 'abrupt' | 'wedged';

export function openWorkerSlots(total: number, clock: Clock): WorkerSlots {
  let idle: readonly number[] = Array.from({ length: total }, () => 0);
  return {
    free: () => idle.length,
    take: () => {
      const [unwellUntil, ...others] = idle.toSorted((a, b) => a - b);
      if (unwellUntil === undefined) return undefined;
      idle = others;
      return { since: clock.now(), unwellUntil };
    },
    giveBack: ({ unwellUntil }, how) => {
      if (how === 'wedged') return;
      idle = [...idle, how === 'abrupt' ? clock.now() + recoveryMs : unwellUntil];
    },
  };
}
