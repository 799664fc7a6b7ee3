import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type { Clock } from '../ports/clock.ts';
import type { GatewayStatus } from './gateway.ts';
import { estimateQueueSeconds } from './queue-eta.ts';
import { openTurnOver } from './turn-over.ts';
import { openWorkerSlots } from './worker-slots.ts';
import type { WorkerSlot } from './worker-slots.ts';

const updateMs = 3000;

export interface QueuePlace {
  readonly position: number;
  readonly length: number;
  readonly etaSeconds: number;
}

/** Someone who wants a worker. */
export interface WorkerRequest {
  readonly mode: Mode;
  /** Waits for a worker that will never come. */
  readonly blocked: boolean;
  /**
   * Leaves a trap behind where it leaves the queue: should a session end before the queue is told of the next
   * time, its worker is lost for good.
   */
  readonly wedges: boolean;
  /** `unwell`: the worker will refuse, because its last client vanished a moment ago. */
  readonly onAssigned: (unwell: boolean) => void;
  readonly onQueued: (stage: 'joined' | 'moved', place: QueuePlace) => void;
  readonly onRejected: () => void;
}

/** The workers and the queue before them. */
export interface WorkerPool {
  readonly acquire: (request: WorkerRequest) => void;
  /** Gives the worker or the place in the queue back; harmless for one who has neither. */
  readonly release: (request: WorkerRequest, how: 'clean' | 'abrupt') => void;
  readonly status: () => GatewayStatus;
  readonly end: () => void;
}

export interface WorkerPoolOptions {
  readonly workers: number;
  readonly queueLimit: number;
}

export function openWorkerPool(
  { workers, queueLimit }: WorkerPoolOptions,
  clock: Clock,
): WorkerPool {
  const slots = openWorkerSlots(workers, clock);
  const turnOver = openTurnOver();
  const active = new Map<WorkerRequest, WorkerSlot>();
  let waiting: readonly WorkerRequest[] = [];
  let trapSet = false;
  let stopUpdates: (() => void) | undefined;

  const secondsSince = (at: number): number => (clock.now() - at) / 1000;

  function positionOf(request: WorkerRequest): QueuePlace {
    const position = waiting.indexOf(request) + 1;
    const remaining = [...active].map(
      ([{ mode }, { since }]) => turnOver.expectedSeconds(mode) - secondsSince(since),
    );
    const ahead = waiting.slice(0, position - 1).map(({ mode }) => turnOver.expectedSeconds(mode));
    const etaSeconds = estimateQueueSeconds(workers, remaining, ahead);
    return { position, length: waiting.length, etaSeconds };
  }

  function assign(request: WorkerRequest, slot: WorkerSlot): void {
    active.set(request, slot);
    request.onAssigned(slot.unwellUntil > clock.now());
  }

  function update(requests: readonly WorkerRequest[]): void {
    for (const request of requests)
      if (waiting.includes(request)) request.onQueued('moved', positionOf(request));
  }

  function keepUpdating(): void {
    stopUpdates ??= clock.after(updateMs, () => {
      stopUpdates = undefined;
      trapSet = false;
      try {
        update(waiting);
      } finally {
        if (waiting.length > 0) keepUpdating();
      }
    });
  }

  function stop(): void {
    stopUpdates?.();
    stopUpdates = undefined;
  }

  function leaveQueue(request: WorkerRequest): void {
    const behind = waiting.slice(waiting.indexOf(request) + 1);
    waiting = waiting.filter((other) => other !== request);
    trapSet ||= request.wedges;
    if (waiting.length === 0 && !trapSet) stop();
    update(behind);
  }

  function letNextIn(): void {
    const next = waiting.find(({ blocked }) => !blocked);
    const slot = next && slots.take();
    if (next === undefined || slot === undefined) return;
    waiting = waiting.filter((other) => other !== next);
    const left = waiting;
    assign(next, slot);
    if (left.length === 0) stop();
    update(left);
  }

  return {
    acquire: (request) => {
      const slot = request.blocked ? undefined : slots.take();
      if (slot !== undefined) {
        assign(request, slot);
      } else if (waiting.length >= queueLimit) {
        request.onRejected();
      } else {
        waiting = [...waiting, request];
        request.onQueued('joined', positionOf(request));
        keepUpdating();
      }
    },
    release: (request, how) => {
      const slot = active.get(request);
      if (slot !== undefined) {
        active.delete(request);
        turnOver.learn(request.mode, secondsSince(slot.since));
        slots.giveBack(slot, trapSet ? 'wedged' : how);
        letNextIn();
      } else if (waiting.includes(request)) {
        leaveQueue(request);
      }
    },
    status: () => ({ workers, idle: slots.free(), queued: waiting.length }),
    end: () => {
      stop();
      waiting = [];
      active.clear();
    },
  };
}
