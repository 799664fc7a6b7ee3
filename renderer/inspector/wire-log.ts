import { Listeners } from '../../shared/listeners.ts';
import type { WireBatch, WireFrame } from '../../shared/protocol/wire-frame.ts';

export interface LoggedWireFrame extends WireFrame {
  /** Counted from 1 across all connections. */
  readonly number: number;
  readonly name: string | undefined;
}

export interface WireFilter {
  readonly direction: 'all' | 'out' | 'in';
  /** Matches anywhere in the event, ignoring case. */
  readonly text: string;
}

export const noWireFilter: WireFilter = { direction: 'all', text: '' };

/** Beyond this the oldest events are dropped, and only counted. */
export const maxLoggedWireFrames = 10_000;
/** Dropping old events in batches costs far less than one by one. */
const slack = 1000;

/** The events that the inspector lists: the newest ones, those that match the filter, and the counts. */
export class WireLog {
  #all: readonly LoggedWireFrame[] = [];
  #shown: readonly LoggedWireFrame[] = [];
  #filter = noWireFilter;
  #count = 0;
  #missed = 0;
  /** While paused, newer events than this are hidden. */
  #pausedAt: number | undefined;
  #beganAt: number | undefined;
  readonly #subscribers = new Listeners<undefined>();

  /** Pass `beganAt` if the start is known before the first event. */
  constructor(beganAt?: number) {
    this.#beganAt = beganAt;
  }

  get shown(): readonly LoggedWireFrame[] {
    return this.#shown;
  }

  /** All events that arrived, including those that the log has since discarded. */
  get total(): number {
    return this.#count;
  }

  /** The time of the first event on the core's clock, unless the start was passed. */
  get beganAt(): number {
    return this.#beganAt ?? 0;
  }

  /** Events that the core dropped because too many arrived at once. */
  get missed(): number {
    return this.#missed;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#subscribers.add(listener);

  add({ frames, missed }: WireBatch): void {
    const added = frames.map((frame) => this.#log(frame));
    this.#missed += missed;
    this.#all = [...this.#all, ...added];
    const isOverLimit = this.#all.length > maxLoggedWireFrames + slack;
    if (isOverLimit) this.#all = this.#all.slice(-maxLoggedWireFrames);
    if (this.#pausedAt === undefined) {
      const shown = isOverLimit
        ? this.#shown.filter(({ number }) => number >= this.#first)
        : this.#shown;
      this.#shown = [...shown, ...added.filter((frame) => matches(frame, this.#filter))];
    }
    this.#notify();
  }

  setFilter(part: Partial<WireFilter>): void {
    this.#filter = { ...this.#filter, ...part };
    this.#refilter();
  }

  setPaused(paused: boolean): void {
    this.#pausedAt = paused ? this.#count : undefined;
    this.#refilter();
  }

  clear(): void {
    this.#all = [];
    this.#missed = 0;
    this.#refilter();
  }

  get #first(): number {
    return this.#all[0]?.number ?? 0;
  }

  #log(frame: WireFrame): LoggedWireFrame {
    this.#count += 1;
    this.#beganAt ??= frame.at;
    return { ...frame, number: this.#count, name: eventType(frame.text) };
  }

  #refilter(): void {
    const newest = this.#pausedAt ?? this.#count;
    this.#shown = this.#all.filter(
      (frame) => frame.number <= newest && matches(frame, this.#filter),
    );
    this.#notify();
  }

  #notify(): void {
    this.#subscribers.emit(undefined);
  }
}

function matches({ direction, text, name }: LoggedWireFrame, filter: WireFilter): boolean {
  // Connection events match both directions.
  const opposite = filter.direction === 'in' ? 'out' : 'in';
  if (filter.direction !== 'all' && direction === opposite) return false;
  const query = filter.text.trim().toLowerCase();
  return query === '' || `${name ?? ''} ${text}`.toLowerCase().includes(query);
}

/** The core may cut a frame, so it cannot be parsed as JSON; its type is near the start. */
function eventType(text: string): string | undefined {
  return /"type"\s*:\s*"([^"\\]{1,80})"/.exec(text.slice(0, 2000))?.[1];
}
