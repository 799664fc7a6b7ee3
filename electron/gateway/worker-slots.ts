import type { Clock } from '../../shared/ports/clock.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';
import type { Backend } from './backend.ts';

export interface GatewayStatus {
  readonly workers: number;
  readonly idle: number;
  readonly queued: number;
  /** One status per model server. Empty for the demonstration, whose workers have no names. */
  readonly backends: readonly BackendStatus[];
}

export interface BackendStatus {
  readonly name: string;
  readonly serves: Backend['serves'];
  /**
   * `occupied`: the server has another client's session, and is tried again later. `lost`: it did not answer; its
   * health is checked until it does.
   */
  readonly state: 'idle' | 'busy' | 'occupied' | 'lost';
  readonly seconds: number;
}

/**
 * `abrupt`: the client vanished, or the model server was left while it loaded. `occupied`: the model server has a
 * session with another client. `lost`: it cannot be reached, or did not end its session in time.
 */
export type WorkerReturn = 'clean' | 'abrupt' | 'occupied' | 'lost';

/** A worker refuses new clients for this long after a client vanished. */
const recoveryMs = 750;

/** Pauses between health checks of a lost server, and between tries of an occupied one. They double each time. */
const firstPauseMs = 1000;
const maxPauseMs = 30_000;

export interface WorkerSlot {
  readonly backend: Backend | undefined;
  state: BackendStatus['state'];
  since: number;
  /** The worker refuses clients before this time. */
  recoveringUntil: number;
  /** Losses since its last clean session. A server can pass health checks and still refuse every session. */
  losses: number;
  /** Sessions that it refused because it was occupied, since its last clean session. */
  occupations: number;
  /** The earliest time of the next try of an occupied server. */
  retryAt: number;
}

/** `wedged`: the worker never comes back. */
type SlotReturn = WorkerReturn | 'wedged';

/** The workers and their states. Checks lost model servers until they are healthy again. */
export class WorkerSlots {
  #slots: readonly WorkerSlot[];
  /** The pool reports its configured size, even after the `wedge` fault. */
  readonly #total: number;
  readonly #clock: Clock;
  readonly #onRecovered: () => void;
  readonly #cancelTimers = new Set<() => void>();
  #hasEnded = false;

  constructor(backends: readonly (Backend | undefined)[], clock: Clock, onRecovered: () => void) {
    this.#slots = backends.map((backend) => ({
      backend,
      state: 'idle',
      since: clock.now(),
      recoveringUntil: 0,
      losses: 0,
      occupations: 0,
      retryAt: 0,
    }));
    this.#total = backends.length;
    this.#clock = clock;
    this.#onRecovered = onRecovered;
  }

  /** Takes the free worker of this mode that failed least and recovers first. Undefined if none is free. */
  take(mode: Mode): WorkerSlot | undefined {
    const failures = ({ losses, occupations }: WorkerSlot): number => losses + occupations;
    const [slot] = this.#free(mode).toSorted(
      (a, b) => failures(a) - failures(b) || a.recoveringUntil - b.recoveringUntil,
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
        this.#scheduleHealthCheck(slot, pauseAfter(slot.losses));
        slot.losses += 1;
        return;
      case 'occupied': {
        const pauseMs = pauseAfter(slot.occupations);
        slot.occupations += 1;
        slot.retryAt = this.#clock.now() + pauseMs;
        this.#set(slot, 'occupied');
        // A health check does not show whether the server is free, so the next session tries it.
        this.#after(pauseMs, () => {
          // The timer can run a fraction of a millisecond before `retryAt`, and no other timer would follow.
          slot.retryAt = this.#clock.now();
          this.#onRecovered();
        });
        return;
      }
      case 'abrupt':
        slot.recoveringUntil = this.#clock.now() + recoveryMs;
        this.#set(slot, 'idle');
        return;
      case 'clean':
        slot.losses = 0;
        slot.occupations = 0;
        this.#set(slot, 'idle');
    }
  }

  #set(slot: WorkerSlot, state: WorkerSlot['state']): void {
    slot.state = state;
    slot.since = this.#clock.now();
  }

  /** Whether `take` would find a worker. */
  hasFree(mode: Mode): boolean {
    return this.#free(mode).length > 0;
  }

  /** Counts the workers of a mode, also those that are lost. */
  countAll(mode: Mode): number {
    return this.#slots.filter((slot) => servesMode(slot, mode)).length;
  }

  /** Whether model servers are configured, and none that serves the mode answers. Always false for the demonstration. */
  hasOnlyLost(mode: Mode): boolean {
    const hasServers = this.#slots.some(({ backend }) => backend !== undefined);
    return hasServers && this.count(mode) === 0;
  }

  /** Counts the workers of a mode that answer. */
  count(mode: Mode): number {
    return this.#slots.filter((slot) => slot.state !== 'lost' && servesMode(slot, mode)).length;
  }

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
    for (const stop of this.#cancelTimers) stop();
    this.#cancelTimers.clear();
  }

  #free(mode: Mode): readonly WorkerSlot[] {
    const now = this.#clock.now();
    return this.#slots.filter(
      (slot) =>
        servesMode(slot, mode) &&
        (slot.state === 'idle' || (slot.state === 'occupied' && slot.retryAt <= now)),
    );
  }

  #after(ms: number, run: () => void): void {
    const stop = this.#clock.after(ms, () => {
      this.#cancelTimers.delete(stop);
      run();
    });
    this.#cancelTimers.add(stop);
  }

  /** Asks with growing pauses until the model server answers. */
  #scheduleHealthCheck(slot: WorkerSlot, pauseMs: number): void {
    this.#after(pauseMs, () => {
      void this.#recover(slot, pauseMs);
    });
  }

  async #recover(slot: WorkerSlot, pauseMs: number): Promise<void> {
    const isHealthy = await slot.backend?.isHealthy().catch(() => false);
    if (this.#hasEnded) return;
    if (isHealthy !== true) {
      this.#scheduleHealthCheck(slot, Math.min(2 * pauseMs, maxPauseMs));
      return;
    }
    this.#set(slot, 'idle');
    this.#onRecovered();
  }
}

const pauseAfter = (failures: number): number => Math.min(firstPauseMs * 2 ** failures, maxPauseMs);

function servesMode({ backend }: WorkerSlot, mode: Mode): boolean {
  const serves = backend?.serves ?? 'both';
  return serves === 'both' || (serves === 'chat') === (mode === 'chat');
}
