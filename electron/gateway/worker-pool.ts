import type { Clock } from '../../shared/ports/clock.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';
import type { Backend, BackendFigure } from './backend.ts';

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

/** The worker that a connection gets. */
export interface AssignedWorker {
  /** The worker will refuse, because its last client vanished a moment ago. */
  readonly isUnwell: boolean;
  /** The model server that answers; without one, the demonstration does. */
  readonly backend?: Backend | undefined;
  readonly record?: ((figure: BackendFigure) => void) | undefined;
}

/**
 * `abrupt`: the client vanished, or the model server was left while it loaded. `lost`: the model server cannot be
 * reached, or did not end its session in time.
 */
export type WorkerReturn = 'clean' | 'abrupt' | 'lost';

/** A connection that needs a worker. */
export interface WorkerRequest {
  readonly mode: Mode;
  /** Waits in the queue for ever (the `workerDown` fault). */
  readonly blocked: boolean;
  /**
   * After it leaves the queue, the next session to end before a queue update loses its worker (the `wedge`
   * fault).
   */
  readonly wedges: boolean;
  readonly onAssigned: (worker: AssignedWorker) => void;
  readonly onQueued: (stage: 'joined' | 'moved', place: QueuePlace) => void;
  readonly onRejected: () => void;
}

/** The workers and their queue. */
export interface WorkerPool {
  readonly acquire: (request: WorkerRequest) => void;
  /** Returns the worker or leaves the queue; does nothing for a connection that has neither. */
  readonly release: (request: WorkerRequest, how: WorkerReturn) => void;
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
  const durations = openSessionDurations();
  const active = new Map<WorkerRequest, WorkerSlot>();
  let waiting: readonly WorkerRequest[] = [];
  let trapSet = false;
  let stopUpdates: (() => void) | undefined;

  const secondsSince = (at: number): number => (clock.now() - at) / 1000;

  function queuePlace(request: WorkerRequest): QueuePlace {
    const position = waiting.indexOf(request) + 1;
    const remaining = [...active].map(
      ([{ mode }, { since }]) => durations.expectedSeconds(mode) - secondsSince(since),
    );
    const ahead = waiting.slice(0, position - 1).map(({ mode }) => durations.expectedSeconds(mode));
    const etaSeconds = estimateQueueSeconds(workers, remaining, ahead);
    return { position, length: waiting.length, etaSeconds };
  }

  function assign(request: WorkerRequest, slot: WorkerSlot): void {
    active.set(request, slot);
    request.onAssigned({ isUnwell: slot.recoveringUntil > clock.now() });
  }

  function update(requests: readonly WorkerRequest[]): void {
    for (const request of requests)
      if (waiting.includes(request)) request.onQueued('moved', queuePlace(request));
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

  function admitNext(): void {
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
        request.onQueued('joined', queuePlace(request));
        keepUpdating();
      }
    },
    release: (request, how) => {
      const slot = active.get(request);
      if (slot !== undefined) {
        active.delete(request);
        durations.learn(request.mode, secondsSince(slot.since));
        slots.giveBack(slot, trapSet || how === 'lost' ? 'wedged' : how);
        admitNext();
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

/** A worker refuses new clients for this long after a client vanished. */
const recoveryMs = 750;

interface WorkerSlot {
  readonly since: number;
  /** The worker refuses clients before this time. */
  readonly recoveringUntil: number;
}

export interface WorkerSlots {
  readonly free: () => number;
  /** Takes the worker that recovers first, or undefined if all are busy. */
  readonly take: () => WorkerSlot | undefined;
  readonly giveBack: (slot: WorkerSlot, how: SlotReturn) => void;
}

/** `abrupt`: the client vanished. `wedged`: the worker is lost for good. */
export type SlotReturn = 'clean' | 'abrupt' | 'wedged';

function openWorkerSlots(total: number, clock: Clock): WorkerSlots {
  let idle: readonly number[] = Array.from({ length: total }, () => 0);
  return {
    free: () => idle.length,
    take: () => {
      const [recoveringUntil, ...others] = idle.toSorted((a, b) => a - b);
      if (recoveringUntil === undefined) return undefined;
      idle = others;
      return { since: clock.now(), recoveringUntil };
    },
    giveBack: ({ recoveringUntil }, how) => {
      if (how === 'wedged') return;
      idle = [...idle, how === 'abrupt' ? clock.now() + recoveryMs : recoveringUntil];
    },
  };
}

/** Assumed session length until some were seen, as deployed gateways assume it. */
const initialSeconds: Readonly<Record<Mode, number>> = { chat: 15, audio: 120, video: 90 };
/** Sessions of a mode that must end before their mean counts. */
const minSessions = 3;
const newestWeight = 0.3;

/** Learns from ended sessions how long each mode keeps its worker. */
export interface SessionDurations {
  readonly learn: (mode: Mode, seconds: number) => void;
  readonly expectedSeconds: (mode: Mode) => number;
}

function openSessionDurations(): SessionDurations {
  const seen = new Map<Mode, { readonly count: number; readonly mean: number }>();
  return {
    learn: (mode, seconds) => {
      const { count, mean } = seen.get(mode) ?? { count: 0, mean: seconds };
      seen.set(mode, { count: count + 1, mean: mean + newestWeight * (seconds - mean) });
    },
    expectedSeconds: (mode) => {
      const known = seen.get(mode);
      return known === undefined || known.count < minSessions ? initialSeconds[mode] : known.mean;
    },
  };
}

/**
 * When a worker will be free at the latest, in whole seconds, if every client ahead takes the first free worker
 * and keeps it as long as expected.
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
