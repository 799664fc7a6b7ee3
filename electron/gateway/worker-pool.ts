import type { Clock } from '../../shared/ports/clock.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';

/** For those who only want to know how it is. */
export interface GatewayStatus {
  readonly workers: number;
  readonly idle: number;
  readonly queued: number;
}

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

/** A worker whose client just vanished is not ready for the next one before this, and refuses it. */
const recoveryMs = 750;

/** What somebody was given: a worker that is well, or one that still has its last client's end to digest. */
interface WorkerSlot {
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

function openWorkerSlots(total: number, clock: Clock): WorkerSlots {
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

/** How long a session is taken to last before any was seen: what deployed gateways begin with. */
const firstGuess: Readonly<Record<Mode, number>> = { chat: 15, audio: 120, video: 90 };
/** As many sessions must have ended before their own length counts, and each new one counts so much. */
const enoughSessions = 3;
const weight = 0.3;

/** How long sessions of each mode really keep their worker, learned from those that have ended. */
export interface TurnOver {
  readonly learn: (mode: Mode, seconds: number) => void;
  readonly expectedSeconds: (mode: Mode) => number;
}

function openTurnOver(): TurnOver {
  const seen = new Map<Mode, { readonly count: number; readonly mean: number }>();
  return {
    learn: (mode, seconds) => {
      const { count, mean } = seen.get(mode) ?? { count: 0, mean: seconds };
      seen.set(mode, { count: count + 1, mean: mean + weight * (seconds - mean) });
    },
    expectedSeconds: (mode) => {
      const known = seen.get(mode);
      return known === undefined || known.count < enoughSessions ? firstGuess[mode] : known.mean;
    },
  };
}

/**
 * When a worker will be free at the latest, in whole seconds: everyone ahead takes the worker that is
 * free first and keeps it as long as allowed.
 */
export function estimateQueueSeconds(
  workers: number,
  remaining: readonly number[],
  ahead: readonly number[],
): number {
  const idle = Array.from({ length: Math.max(0, workers - remaining.length) }, () => 0);
  let free: readonly number[] = [...remaining.map((seconds) => Math.max(0, seconds)), ...idle];
  for (const seconds of ahead) {
    const [first = 0, ...others] = free.toSorted((a, b) => a - b);
    free = [first + seconds, ...others];
  }
  return Math.ceil(free.length === 0 ? 0 : Math.min(...free));
}
