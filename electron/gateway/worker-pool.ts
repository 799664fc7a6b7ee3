import type { Clock } from '../../shared/ports/clock.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';
import type { Backend } from './backend.ts';

export interface GatewayStatus {
  readonly workers: number;
  readonly idle: number;
  readonly queued: number;
  /** Each model server; empty for the demonstration, whose workers have no names. */
  readonly backends: readonly BackendStatus[];
}

export interface BackendStatus {
  readonly name: string;
  readonly serves: Backend['serves'];
  /** `lost`: it did not answer, and is asked for its health. */
  readonly state: 'idle' | 'busy' | 'lost';
  /** How long it has been in this state. */
  readonly seconds: number;
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
  /** `lost`: no worker of this mode answers. */
  readonly onRejected: (why: 'full' | 'lost') => void;
}

/** The workers and their queue. */
export interface WorkerPool {
  readonly acquire: (request: WorkerRequest) => void;
  /** Returns the worker or leaves the queue; does nothing for a connection that has neither. */
  readonly release: (request: WorkerRequest, how: WorkerReturn) => void;
  /** Empties the queue and returns who waited in it. */
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
  const active = new Map<WorkerRequest, WorkerSlot>();
  let waiting: readonly WorkerRequest[] = [];
  let trapSet = false;
  let stopUpdates: (() => void) | undefined;

  const secondsSince = (at: number): number => (clock.now() - at) / 1000;

  function queuePlace(request: WorkerRequest): QueuePlace {
    // Only clients that wait for the same workers are in the way.
    const rivals = waiting.filter(({ mode }) => slots.isShared(mode, request.mode));
    const position = rivals.indexOf(request) + 1;
    const remaining = [...active]
      .filter(([{ mode }]) => slots.isShared(mode, request.mode))
      .map(([{ mode }, { since }]) => durations.expectedSeconds(mode) - secondsSince(since));
    const ahead = rivals.slice(0, position - 1).map(({ mode }) => durations.expectedSeconds(mode));
    const workers = slots.count(request.mode);
    // While all are lost, nobody knows; an empty list of workers would mean that one is free now.
    const etaSeconds =
      workers === 0
        ? estimateQueueSeconds(1, [durations.expectedSeconds(request.mode)], ahead)
        : estimateQueueSeconds(workers, remaining, ahead);
    return { position, length: rivals.length, etaSeconds };
  }

  function assign(request: WorkerRequest, slot: WorkerSlot): void {
    active.set(request, slot);
    const isUnwell = slot.recoveringUntil > clock.now();
    request.onAssigned({ isUnwell, backend: slot.backend });
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
    const next = waiting.find(({ blocked, mode }) => !blocked && slots.hasIdle(mode));
    const slot = next && slots.take(next.mode);
    if (next === undefined || slot === undefined) return;
    waiting = waiting.filter((other) => other !== next);
    const left = waiting;
    assign(next, slot);
    if (left.length === 0) stop();
    update(left);
  }

  return {
    acquire: (request) => {
      const slot = request.blocked ? undefined : slots.take(request.mode);
      if (slot !== undefined) {
        assign(request, slot);
      } else if (slots.areLost(request.mode)) {
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
      const slot = active.get(request);
      if (slot !== undefined) {
        active.delete(request);
        durations.learn(request.mode, secondsSince(slot.since));
        slots.giveBack(slot, trapSet ? 'wedged' : how);
        admitNext();
      } else if (waiting.includes(request)) {
        leaveQueue(request);
      }
    },
    emptyQueue: () => {
      stop();
      const left = new Set(waiting);
      waiting = [];
      return left;
    },
    status: () => ({ ...slots.status(), queued: waiting.length }),
    end: () => {
      stop();
      slots.end();
      waiting = [];
      active.clear();
    },
  };
}

/** A worker refuses new clients for this long after a client vanished. */
const recoveryMs = 750;

/** Pauses between two questions for the health of a lost model server. */
const firstHealthMs = 1000;
const maxHealthMs = 30_000;

interface WorkerSlot {
  readonly backend: Backend | undefined;
  state: BackendStatus['state'];
  /** When the state began. */
  since: number;
  /** The worker refuses clients before this time. */
  recoveringUntil: number;
  /** Losses since its last good session. A server can be healthy and refuse every session. */
  losses: number;
}

/** `wedged`: the worker never comes back. */
type SlotReturn = WorkerReturn | 'wedged';

class WorkerSlots {
  #slots: readonly WorkerSlot[];
  /** The pool reports its configured size, even after the `wedge` fault. */
  readonly #total: number;
  readonly #clock: Clock;
  readonly #onRecovered: () => void;
  readonly #stops = new Set<() => void>();
  #hasEnded = false;

  constructor(backends: readonly (Backend | undefined)[], clock: Clock, onRecovered: () => void) {
    this.#slots = backends.map((backend) => ({
      backend,
      state: 'idle',
      since: clock.now(),
      recoveringUntil: 0,
      losses: 0,
    }));
    this.#total = backends.length;
    this.#clock = clock;
    this.#onRecovered = onRecovered;
  }

  /** Takes the worker that was lost least and recovers first, or undefined if all are busy. */
  take(mode: Mode): WorkerSlot | undefined {
    const [slot] = this.#idle(mode).toSorted(
      (a, b) => a.losses - b.losses || a.recoveringUntil - b.recoveringUntil,
    );
    if (slot === undefined) return undefined;
    this.#set(slot, 'busy');
    return slot;
  }

  giveBack(slot: WorkerSlot, how: SlotReturn): void {
    switch (how) {
      case 'wedged':
        this.#slots = this.#slots.filter((other) => other !== slot);
        return;
      case 'lost':
        this.#set(slot, 'lost');
        this.#askHealth(slot, Math.min(firstHealthMs * 2 ** slot.losses, maxHealthMs));
        slot.losses += 1;
        return;
      case 'abrupt':
        slot.recoveringUntil = this.#clock.now() + recoveryMs;
        this.#set(slot, 'idle');
        return;
      case 'clean':
        slot.losses = 0;
        this.#set(slot, 'idle');
    }
  }

  #set(slot: WorkerSlot, state: WorkerSlot['state']): void {
    slot.state = state;
    slot.since = this.#clock.now();
  }

  hasIdle(mode: Mode): boolean {
    return this.#idle(mode).length > 0;
  }

  /** Whether no model server of this mode answers, or there is none. A wedged demonstration stays silent. */
  areLost(mode: Mode): boolean {
    const hasServers = this.#slots.some(({ backend }) => backend !== undefined);
    return hasServers && this.count(mode) === 0;
  }

  /** Counts the workers of a mode that answer. */
  count(mode: Mode): number {
    return this.#slots.filter((slot) => slot.state !== 'lost' && servesMode(slot, mode)).length;
  }

  /** Whether a worker serves both modes. */
  isShared(one: Mode, other: Mode): boolean {
    return (
      one === other || this.#slots.some((slot) => servesMode(slot, one) && servesMode(slot, other))
    );
  }

  status(): Omit<GatewayStatus, 'queued'> {
    return {
      workers: this.#total,
      idle: this.#slots.filter(({ state }) => state === 'idle').length,
      backends: this.#slots.flatMap(({ backend, state, since }) => {
        if (backend === undefined) return [];
        const seconds = Math.floor((this.#clock.now() - since) / 1000);
        return [{ name: backend.name, serves: backend.serves, state, seconds }];
      }),
    };
  }

  end(): void {
    this.#hasEnded = true;
    for (const stop of this.#stops) stop();
    this.#stops.clear();
  }

  #idle(mode: Mode): readonly WorkerSlot[] {
    return this.#slots.filter((slot) => slot.state === 'idle' && servesMode(slot, mode));
  }

  /** Asks with growing pauses until the model server answers. */
  #askHealth(slot: WorkerSlot, pauseMs: number): void {
    const stop = this.#clock.after(pauseMs, () => {
      this.#stops.delete(stop);
      void this.#recover(slot, pauseMs);
    });
    this.#stops.add(stop);
  }

  async #recover(slot: WorkerSlot, pauseMs: number): Promise<void> {
    const isHealthy = await slot.backend?.isHealthy().catch(() => false);
    if (this.#hasEnded) return;
    if (isHealthy !== true) {
      this.#askHealth(slot, Math.min(2 * pauseMs, maxHealthMs));
      return;
    }
    this.#set(slot, 'idle');
    this.#onRecovered();
  }
}

function servesMode({ backend }: WorkerSlot, mode: Mode): boolean {
  const serves = backend?.serves ?? 'both';
  return serves === 'both' || (serves === 'chat') === (mode === 'chat');
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
