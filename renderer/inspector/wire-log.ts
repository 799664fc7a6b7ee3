import { Listeners } from '../../shared/listeners.ts';
import type { WireBatch, WireFrame } from '../../shared/protocol/wire-frame.ts';

export interface LoggedWireFrame extends WireFrame {
  /** From 1 on, over all connections. */
  readonly number: number;
  /** The event's own name, where it is one. */
  readonly name: string | undefined;
}

export interface WireFilter {
  readonly direction: 'all' | 'out' | 'in';
  /** Anywhere in the event; case does not matter. */
  readonly text: string;
}

export const noWireFilter: WireFilter = { direction: 'all', text: '' };

/** So many stay; of older ones only the count. */
export const maxLoggedWireFrames = 10_000;
/** Letting old ones go by the thousand costs a thousandth of letting them go one by one. */
const slack = 1000;

/** What has passed on the wire, and what of it the person wants to see. */
export class WireLog {
  #all: readonly LoggedWireFrame[] = [];
  #shown: readonly LoggedWireFrame[] = [];
  #filter = noWireFilter;
  #passed = 0;
  #missed = 0;
  /** While it stands, nothing newer than this is shown. */
  #pausedAt: number | undefined;
  #beganAt: number | undefined;
  readonly #subscribers = new Listeners<undefined>();

  /** Where it is known before the first one has come. */
  constructor(beganAt?: number) {
    this.#beganAt = beganAt;
  }

  get shown(): readonly LoggedWireFrame[] {
    return this.#shown;
  }

  /** Those that passed in all, seen or not. */
  get passed(): number {
    return this.#passed;
  }

  /** When the first of all came, on the core's clock. */
  get beganAt(): number {
    return this.#beganAt ?? 0;
  }

  /** Frames that came too many at once to be posted. */
  get missed(): number {
    return this.#missed;
  }

  readonly subscribe = (changed: () => void): (() => void) => this.#subscribers.add(changed);

  add({ frames, missed }: WireBatch): void {
    const added = frames.map((frame) => this.#log(frame));
    this.#missed += missed;
    this.#all = [...this.#all, ...added];
    const tooMany = this.#all.length > maxLoggedWireFrames + slack;
    if (tooMany) this.#all = this.#all.slice(-maxLoggedWireFrames);
    if (this.#pausedAt === undefined) {
      const shown = tooMany
        ? this.#shown.filter(({ number }) => number >= this.#first)
        : this.#shown;
      this.#shown = [...shown, ...added.filter((frame) => fits(frame, this.#filter))];
    }
    this.#notify();
  }

  setFilter(part: Partial<WireFilter>): void {
    this.#filter = { ...this.#filter, ...part };
    this.#choose();
  }

  setPaused(paused: boolean): void {
    this.#pausedAt = paused ? this.#passed : undefined;
    this.#choose();
  }

  clear(): void {
    this.#all = [];
    this.#missed = 0;
    this.#choose();
  }

  get #first(): number {
    return this.#all[0]?.number ?? 0;
  }

  #log(frame: WireFrame): LoggedWireFrame {
    this.#passed += 1;
    this.#beganAt ??= frame.at;
    return { ...frame, number: this.#passed, name: nameOf(frame.text) };
  }

  #choose(): void {
    const newest = this.#pausedAt ?? this.#passed;
    this.#shown = this.#all.filter((frame) => frame.number <= newest && fits(frame, this.#filter));
    this.#notify();
  }

  #notify(): void {
    this.#subscribers.emit(undefined);
  }
}

function fits({ direction, text, name }: LoggedWireFrame, filter: WireFilter): boolean {
  // How a connection began and ended belongs to both directions.
  const other = filter.direction === 'in' ? 'out' : 'in';
  if (filter.direction !== 'all' && direction === other) return false;
  const wanted = filter.text.trim().toLowerCase();
  return wanted === '' || `${name ?? ''} ${text}`.toLowerCase().includes(wanted);
}

/** A frame may be cut off, so that it cannot be parsed; its type stands near its beginning. */
function nameOf(text: string): string | undefined {
  return /"type"\s*:\s*"([^"\\]{1,80})"/.exec(text.slice(0, 2000))?.[1];
}
