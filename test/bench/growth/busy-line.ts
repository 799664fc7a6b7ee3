import type { Clock } from '../../../shared/ports/clock.ts';
import type { Socket, SocketListener, Sockets } from '../../../shared/ports/sockets.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';

/** A second's events are spread over this time, before the next second's. */
const spreadMs = 900;
const sampleBytes = 4;

type EventKind = 'text' | 'audio' | 'listen' | 'other';

interface Delta {
  readonly type?: string;
  readonly kind?: string;
  readonly text?: string;
  readonly audio?: string;
}

interface Due {
  readonly at: number;
  readonly kind: EventKind;
  readonly frame: string | undefined;
}

/** The number of events of a kind, and Parley's processor time for them. */
interface Taken {
  events: number;
  ms: number;
}

const nothingTaken = (): Record<EventKind, Taken> => ({
  text: { events: 0, ms: 0 },
  audio: { events: 0, ms: 0 },
  listen: { events: 0, ms: 0 },
  other: { events: 0, ms: 0 },
});

/**
 * A server that splits its output into many more events: text into characters, sound into pieces, and repeated `listen`
 * events, spread evenly over the second.
 */
export class BusyLine {
  taken = nothingTaken();
  soundSeconds = 0;
  /** Processor time of the splitting itself, which a real server would do. */
  splitMs = 0;
  readonly #times: number;

  constructor(times: number) {
    this.#times = times;
  }

  get events(): number {
    return Object.values(this.taken).reduce((sum, { events }) => sum + events, 0);
  }

  forget(): void {
    this.taken = nothingTaken();
    [this.soundSeconds, this.splitMs] = [0, 0];
  }

  around(sockets: Sockets, clock: Clock): Sockets {
    return { connect: (mode, listener) => this.#connect(sockets, clock, mode, listener) };
  }

  #connect(sockets: Sockets, clock: Clock, mode: string, listener: SocketListener): Socket {
    let waiting: Due[] = [];
    const deliver = (): void => {
      const due = waiting.shift();
      if (due === undefined) return;
      const taken = this.taken[due.kind];
      taken.events += 1;
      taken.ms += processorMs(() => {
        listener.received(due.frame);
      });
    };
    return sockets.connect(mode, {
      ...listener,
      received: (frame) => {
        this.splitMs += processorMs(() => {
          const now = clock.now();
          const pieces = this.#split(frame, now, waiting.at(-1)?.at ?? now);
          waiting = [...waiting, ...pieces].toSorted((a, b) => a.at - b.at);
          // Each timer delivers the oldest piece, because timers of one moment may fire in any order.
          for (const { at } of pieces) clock.after(at - now, deliver);
        });
      },
      ended: (end) => {
        waiting = [];
        listener.ended(end);
      },
    });
  }

  #split(frame: string | undefined, now: number, busyUntil: number): readonly Due[] {
    const delta = frame === undefined ? {} : (JSON.parse(frame) as Delta);
    const evenly = (kind: EventKind, parts: readonly Delta[]): readonly Due[] =>
      parts.map((part, n) => ({
        at: now + (n * spreadMs) / this.#times,
        kind,
        frame: JSON.stringify({ ...delta, ...part }),
      }));
    if (delta.kind === 'text') return evenly('text', this.#parts(delta.text ?? ''));
    if (delta.kind === 'audio') return evenly('audio', this.#soundParts(delta.audio ?? ''));
    const isAlone = busyUntil <= now;
    if (delta.kind === 'listen' && isAlone)
      return evenly(
        'listen',
        Array.from({ length: this.#times }, () => ({})),
      );
    // The end of an answer follows all its pieces.
    return [{ at: busyUntil, kind: delta.kind === 'listen' ? 'listen' : 'other', frame }];
  }

  #parts(text: string): readonly Delta[] {
    return this.#bounds(text.length).map(([from, until]) => ({ text: text.slice(from, until) }));
  }

  #soundParts(audio: string): readonly Delta[] {
    const bytes = Buffer.from(audio, 'base64');
    this.soundSeconds += bytes.length / sampleBytes / outputRate;
    return this.#bounds(bytes.length / sampleBytes).map(([from, until]) => ({
      audio: bytes.subarray(from * sampleBytes, until * sampleBytes).toString('base64'),
    }));
  }

  /** Bounds of the parts; fewer parts if there are fewer items. */
  #bounds(length: number): readonly (readonly [from: number, until: number])[] {
    const parts = Math.min(this.#times, length);
    const bound = (n: number): number => Math.round((n * length) / parts);
    return Array.from({ length: parts }, (_, n) => [bound(n), bound(n + 1)] as const);
  }
}

function processorMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
