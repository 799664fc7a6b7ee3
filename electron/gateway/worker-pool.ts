import type { Clock } from '../../shared/ports/clock.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';
import type { Backend, BackendPreparation } from './backend.ts';
import {
  type GatewayStatus,
  type WorkerReturn,
  type WorkerSlot,
  WorkerSlots,
} from './worker-slots.ts';

/** Waiting clients get their place this often. */
const updateMs = 3000;

export interface QueuePlace {
  readonly position: number;
  readonly length: number;
  /** Undefined if it is unknown. */
  readonly etaSeconds: number | undefined;
}

export interface AssignedWorker {
  /** The worker will refuse the session, because its last client vanished a moment ago. */
  readonly isRecovering: boolean;
  /** The model server that answers; without one, the demonstration does. */
  readonly backend?: Backend | undefined;
}

/**
 * A client whose model server was lost waits this long for a server of its mode. New clients do not wait while all are
 * lost.
 */
const maxLossWaitMs = 15_000;

/** A client connection's request for a worker. */
export interface WorkerRequest {
  readonly mode: Mode;
  /** Never gets a worker (the `workerDown` fault). */
  readonly blocked: boolean;
  /**
   * The `wedge` fault: after this client gives up its place in the queue, each session that ends before the queue's
   * next update loses its worker.
   */
  readonly wedges: boolean;
  readonly onAssigned: (worker: AssignedWorker) => void;
  readonly onQueued: (stage: 'joined' | 'moved', place: QueuePlace) => void;
  /** `lost`: no worker of this mode answers. */
  readonly onRejected: (why: 'full' | 'lost') => void;
}

/** Assigns workers (model servers, or demonstrations) to client connections, and queues clients while none is free. */
export interface WorkerPool {
  readonly acquire: (request: WorkerRequest) => void;
  /** Returns the worker or leaves the queue; does nothing for a connection that has neither. */
  readonly release: (request: WorkerRequest, how: WorkerReturn) => void;
  /**
   * Exchanges a worker that could not be reached, or was occupied, for the next one, or for the first place in the
   * queue if the client `mayWait`. Returns false, and changes nothing, if no worker is free and the client may not
   * wait, or if all workers have failed the client.
   */
  readonly retry: (request: WorkerRequest, how: 'lost' | 'occupied', mayWait: boolean) => boolean;
  /** Empties the queue and returns the clients that waited in it, or for their worker's model to load. */
  readonly emptyQueue: () => ReadonlySet<WorkerRequest>;
  readonly status: () => GatewayStatus;
  readonly end: () => void;
}

export interface WorkerPoolOptions {
  readonly workers: number;
  readonly queueLimit: number;
  /** Model servers, one worker each. Without any, `workers` demonstrations run. */
  readonly backends?: readonly Backend[] | undefined;
}

export function openWorkerPool(
  { workers, queueLimit, backends = [] }: WorkerPoolOptions,
  clock: Clock,
): WorkerPool {
  const demonstrations = Array.from({ length: workers }, () => undefined);
  const slots = new WorkerSlots(
    backends.length === 0 ? demonstrations : backends,
    clock,
    admitNext,
  );
  const durations = openSessionDurations();
  const assigned = new Map<WorkerRequest, WorkerSlot>();
  let waiting: readonly WorkerRequest[] = [];
  /** Connections whose worker loads the model for them. */
  const preparing = new Map<WorkerRequest, BackendPreparation>();
  /** How many workers each connection has lost. */
  const losses = new WeakMap<WorkerRequest, number>();
  const lossTimers = new Map<WorkerRequest, () => void>();
  /** Connections for which a worker could not load the model. Trying again would load it in vain, for minutes. */
  const unloadable = new WeakSet<WorkerRequest>();
  let isWedgeArmed = false;
  let stopUpdates: (() => void) | undefined;

  const secondsSince = (at: number): number => (clock.now() - at) / 1000;

  function queuePlace(request: WorkerRequest): QueuePlace {
    // Clients that only other workers can serve do not delay this one.
    const rivals = waiting.filter(({ mode }) => slots.isShared(mode, request.mode));
    const position = rivals.indexOf(request) + 1;
    const remaining = [...assigned]
      .filter(([{ mode }]) => slots.isShared(mode, request.mode))
      .map(([client, { since }]) => {
        const expected = durations.expectedSeconds(client.mode);
        const loading = preparing.get(client);
        return loading === undefined
          ? expected - secondsSince(since)
          : expected + (loading.etaSeconds() ?? 0);
      });
    const ahead = rivals.slice(0, position - 1).map(({ mode }) => durations.expectedSeconds(mode));
    const workers = slots.count(request.mode);
    // While all workers are lost, the estimate assumes one busy worker: with none, it would be 0 seconds.
    const etaSeconds =
      workers === 0
        ? estimateQueueSeconds(1, [durations.expectedSeconds(request.mode)], ahead)
        : estimateQueueSeconds(workers, remaining, ahead);
    return { position, length: rivals.length, etaSeconds };
  }

  function assign(request: WorkerRequest, slot: WorkerSlot, mayQueue = true): void {
    assigned.set(request, slot);
    stopLossTimer(request);
    const preparation = slot.backend?.prepare?.(request.mode);
    if (preparation === undefined) startSession(request, slot);
    else void prepare(request, slot, preparation, mayQueue);
  }

  /** Loading takes longer than a client waits for its session, so the client stays in the queue meanwhile. */
  async function prepare(
    request: WorkerRequest,
    slot: WorkerSlot,
    preparation: BackendPreparation,
    mayQueue: boolean,
  ): Promise<void> {
    if (mayQueue) {
      preparing.set(request, preparation);
      request.onQueued('joined', firstPlace(preparation));
      keepUpdating();
    }
    if (!(await preparation.done)) unloadable.add(request);
    preparing.delete(request);
    stopIfIdle();
    if (assigned.get(request) !== slot) return;
    // The session begins now; the load is not part of its length.
    slot.since = clock.now();
    startSession(request, slot);
  }

  function startSession(request: WorkerRequest, slot: WorkerSlot): void {
    const isRecovering = slot.recoveringUntil > clock.now();
    request.onAssigned({ isRecovering, backend: slot.backend });
  }

  function stopLossTimer(request: WorkerRequest): void {
    lossTimers.get(request)?.();
    lossTimers.delete(request);
  }

  /** Puts a connection at the head of the queue. After `maxLossWaitMs` it is rejected, if all its workers are lost then. */
  function requeue(request: WorkerRequest): void {
    const behind = waiting;
    waiting = [request, ...waiting];
    request.onQueued('joined', queuePlace(request));
    update(behind);
    keepUpdating();
    lossTimers.set(
      request,
      clock.after(maxLossWaitMs, () => {
        lossTimers.delete(request);
        if (!slots.hasOnlyLost(request.mode)) return;
        leaveQueue(request);
        request.onRejected('lost');
      }),
    );
  }

  function update(requests: readonly WorkerRequest[]): void {
    for (const request of requests)
      if (waiting.includes(request)) request.onQueued('moved', queuePlace(request));
  }

  function keepUpdating(): void {
    stopUpdates ??= clock.after(updateMs, () => {
      stopUpdates = undefined;
      isWedgeArmed = false;
      try {
        update(waiting);
        for (const [request, preparation] of preparing)
          request.onQueued('moved', firstPlace(preparation));
      } finally {
        if (waiting.length > 0 || preparing.size > 0) keepUpdating();
      }
    });
  }

  function stop(): void {
    stopUpdates?.();
    stopUpdates = undefined;
  }

  function stopIfIdle(): void {
    if (waiting.length === 0 && preparing.size === 0 && !isWedgeArmed) stop();
  }

  function leaveQueue(request: WorkerRequest): void {
    stopLossTimer(request);
    const behind = waiting.slice(waiting.indexOf(request) + 1);
    waiting = waiting.filter((other) => other !== request);
    isWedgeArmed ||= request.wedges;
    stopIfIdle();
    update(behind);
  }

  function admitNext(): void {
    const next = waiting.find(({ blocked, mode }) => !blocked && slots.hasFree(mode));
    const slot = next && slots.take(next.mode);
    if (next === undefined || slot === undefined) return;
    waiting = waiting.filter((other) => other !== next);
    const remaining = waiting;
    assign(next, slot);
    if (remaining.length === 0 && preparing.size === 0) stop();
    update(remaining);
  }

  return {
    acquire: (request) => {
      const slot = request.blocked ? undefined : slots.take(request.mode);
      if (slot !== undefined) {
        assign(request, slot);
      } else if (slots.hasOnlyLost(request.mode)) {
        request.onRejected('lost');
      } else if (waiting.length >= queueLimit) {
        request.onRejected('full');
      } else {
        waiting = [...waiting, request];
        request.onQueued('joined', queuePlace(request));
        keepUpdating();
      }
    },
    release: (request, how) => {
      const slot = assigned.get(request);
      if (slot !== undefined) {
        assigned.delete(request);
        // A client that left while its model loaded had no session, so no duration is learned.
        if (!preparing.delete(request)) durations.learn(request.mode, secondsSince(slot.since));
        slots.giveBack(slot, isWedgeArmed ? 'wedged' : how);
        admitNext();
      } else if (waiting.includes(request)) {
        leaveQueue(request);
      }
    },
    retry: (request, how, mayWait) => {
      const slot = assigned.get(request);
      const lossCount = (losses.get(request) ?? 0) + (how === 'lost' ? 1 : 0);
      // A single server may just have been restarted, so it is tried twice.
      const tries = unloadable.has(request) ? 1 : 2;
      if (slot === undefined || lossCount >= Math.max(tries, slots.countAll(request.mode)))
        return false;
      // Takes the next worker before it gives the failed one back, so that they differ.
      const next = slots.take(request.mode);
      if (next === undefined && !mayWait) return false;
      losses.set(request, lossCount);
      assigned.delete(request);
      slots.giveBack(slot, how);
      if (next === undefined) requeue(request);
      else assign(request, next, mayWait);
      return true;
    },
    emptyQueue: () => {
      stop();
      for (const request of lossTimers.keys()) stopLossTimer(request);
      const remaining = new Set([...waiting, ...preparing.keys()]);
      waiting = [];
      return remaining;
    },
    status: () => ({ ...slots.status(), queued: waiting.length }),
    end: () => {
      stop();
      for (const request of lossTimers.keys()) stopLossTimer(request);
      slots.end();
      waiting = [];
      preparing.clear();
      assigned.clear();
    },
  };
}

function firstPlace({ etaSeconds }: BackendPreparation): QueuePlace {
  return { position: 1, length: 1, etaSeconds: etaSeconds() };
}

/** Assumed length of a session, like that of deployed gateways, until enough sessions have ended. */
const initialSeconds: Readonly<Record<Mode, number>> = { chat: 15, audio: 120, video: 90 };
/** The mean of a mode counts once this many of its sessions have ended. */
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
 * The time until a worker is free, in whole seconds, if every client ahead takes the first free worker and keeps it as
 * long as expected. `remaining` are the busy workers' expected seconds, `ahead` those of the clients in front.
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
