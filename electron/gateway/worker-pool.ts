import type { Clock } from '../ports/clock.ts';
import { estimateQueueSeconds } from './queue-eta.ts';

const updateMs = 3000;

export interface QueuePlace {
  readonly position: number;
  readonly length: number;
  readonly etaSeconds: number;
}

/** Someone who wants a worker. */
export interface WorkerRequest {
  /** Waits for a worker that will never come. */
  readonly blocked: boolean;
  /** How long it keeps a worker at most, as far as one can tell. */
  readonly maxSeconds: number;
  readonly onAssigned: () => void;
  readonly onQueued: (stage: 'joined' | 'moved', place: QueuePlace) => void;
  readonly onRejected: () => void;
}

/** The workers and the queue before them. */
export interface WorkerPool {
  readonly acquire: (request: WorkerRequest) => void;
  /** Gives the worker or the place in the queue back; harmless for one who has neither. */
  readonly release: (request: WorkerRequest) => void;
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
  /** Who has a worker, and since when. */
  const active = new Map<WorkerRequest, number>();
  let waiting: readonly WorkerRequest[] = [];
  let stopUpdates: (() => void) | undefined;

  function positionOf(request: WorkerRequest): QueuePlace {
    const position = waiting.indexOf(request) + 1;
    const remaining = [...active].map(
      ([{ maxSeconds }, since]) => maxSeconds - (clock.now() - since) / 1000,
    );
    const ahead = waiting.slice(0, position - 1).map(({ maxSeconds }) => maxSeconds);
    const etaSeconds = estimateQueueSeconds(workers, remaining, ahead);
    return { position, length: waiting.length, etaSeconds };
  }

  function assign(request: WorkerRequest): void {
    active.set(request, clock.now());
    request.onAssigned();
  }

  function update(requests: readonly WorkerRequest[]): void {
    for (const request of requests)
      if (waiting.includes(request)) request.onQueued('moved', positionOf(request));
  }

  function keepUpdating(): void {
    stopUpdates ??= clock.after(updateMs, () => {
      stopUpdates = undefined;
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
    if (waiting.length === 0) stop();
    update(behind);
  }

  return {
    acquire: (request) => {
      if (!request.blocked && active.size < workers) {
        assign(request);
      } else if (waiting.length >= queueLimit) {
        request.onRejected();
      } else {
        waiting = [...waiting, request];
        request.onQueued('joined', positionOf(request));
        keepUpdating();
      }
    },
    release: (request) => {
      if (waiting.includes(request)) {
        leaveQueue(request);
      } else if (active.delete(request)) {
        const next = waiting.find(({ blocked }) => !blocked);
        if (next === undefined) return;
        waiting = waiting.filter((other) => other !== next);
        const left = waiting;
        assign(next);
        if (left.length === 0) stop();
        update(left);
      }
    },
    end: () => {
      stop();
      waiting = [];
      active.clear();
    },
  };
}
