import type { Clock } from '../../shared/ports/clock.ts';

interface ScheduledEvent {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

/** The virtual time of a world, which jumps from event to event. Events at one time run in the order of their scheduling. */
export class SimulatedTime implements Clock {
  readonly #heap: ScheduledEvent[] = [];
  #now: number;
  #sequence = 0;

  constructor(from = 0) {
    this.#now = from;
  }

  readonly now = (): number => this.#now;

  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const at = this.#now + Math.max(0, milliseconds);
    const scheduled: ScheduledEvent = { at, order: (this.#sequence += 1), run };
    this.#push(scheduled);
    return () => {
      scheduled.run = undefined;
    };
  };

  /** When the next event happens; undefined if there is none. */
  get next(): number | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined) return undefined;
      if (first.run !== undefined) return first.at;
      this.#pop();
    }
  }

  /** Runs the next event and every promise that waits for nothing else. */
  async step(): Promise<void> {
    if (this.next === undefined) return;
    const due = this.#pop();
    this.#now = Math.max(this.#now, due?.at ?? this.#now);
    const run = due?.run;
    if (due !== undefined) due.run = undefined;
    run?.();
    await new Promise(setImmediate);
  }

  #push(scheduled: ScheduledEvent): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(scheduled);
    for (; place > 0;) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, scheduled)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = scheduled;
  }

  #pop(): ScheduledEvent | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || last === first) return first;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const below = other !== undefined && isBefore(other, one) ? other : one;
      if (isBefore(last, below)) break;
      heap[place] = below;
      place = below === one ? left : left + 1;
    }
    heap[place] = last;
    return first;
  }
}

function isBefore(one: ScheduledEvent, other: ScheduledEvent): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** The clock of one process. After a kill, its timers run on a separate time. */
export class ProcessClock implements Clock {
  #time: SimulatedTime;
  readonly #waiting = new Map<number, { readonly at: number; run: () => void; stop: () => void }>();
  #sequence = 0;

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  readonly now = (): number => this.#time.now();

  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const number = (this.#sequence += 1);
    const fire = (): void => {
      this.#waiting.delete(number);
      run();
    };
    const stop = this.#time.after(milliseconds, fire);
    this.#waiting.set(number, { at: this.now() + milliseconds, run: fire, stop });
    return () => {
      this.#waiting.get(number)?.stop();
      this.#waiting.delete(number);
    };
  };

  get pending(): number {
    return this.#waiting.size;
  }

  /** Moves the timers to a separate time, which the world does not wait for. */
  kill(): SimulatedTime {
    const separate = new SimulatedTime(this.now());
    for (const waiting of this.#waiting.values()) {
      waiting.stop();
      waiting.stop = separate.after(waiting.at - separate.now(), waiting.run);
    }
    this.#time = separate;
    return separate;
  }
}
