// Measures how Parley's processor time grows with a server's events per second, and with reconnects.
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Socket, SocketListener, Sockets } from '../../../shared/ports/sockets.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { cpuTime } from '../../fakes/cpu-time.ts';
import { BreakableSockets } from '../../unit/electron/talk/gateway-harness.ts';
import { LongTalk } from '../../unit/electron/talk/long-talk.ts';
import type { GrowthRow } from './growth-row.ts';
import { measureMinute, talkUntil } from './measure-talking.ts';

/** The events of one second are spread over this time. */
const spreadMs = 900;
const sampleBytes = 4;

type EventKind = 'text' | 'audio' | 'listen' | 'other';

interface Delta {
  readonly type?: string;
  readonly kind?: string;
  readonly text?: string;
  readonly audio?: string;
}

interface ScheduledFrame {
  readonly at: number;
  readonly kind: EventKind;
  readonly frame: string | undefined;
}

/** The number of events of one kind, and Parley's processor time for them. */
interface EventCost {
  events: number;
  ms: number;
}

const noEventCosts = (): Record<EventKind, EventCost> => ({
  text: { events: 0, ms: 0 },
  audio: { events: 0, ms: 0 },
  listen: { events: 0, ms: 0 },
  other: { events: 0, ms: 0 },
});

/**
 * Splits a server's output into many more events: text into characters, sound into pieces, and repeated `listen` events,
 * spread evenly over the second. Counts the events and Parley's processor time for them.
 */
class EventSplitter {
  costs = noEventCosts();
  soundSeconds = 0;
  /** Processor time of the splitting, which does not belong to Parley. */
  splitMs = 0;
  readonly #times: number;

  constructor(times: number) {
    this.#times = times;
  }

  get events(): number {
    return Object.values(this.costs).reduce((sum, { events }) => sum + events, 0);
  }

  reset(): void {
    this.costs = noEventCosts();
    [this.soundSeconds, this.splitMs] = [0, 0];
  }

  around(sockets: Sockets, clock: Clock): Sockets {
    return { connect: (mode, listener) => this.#connect(sockets, clock, mode, listener) };
  }

  #connect(sockets: Sockets, clock: Clock, mode: string, listener: SocketListener): Socket {
    let waiting: ScheduledFrame[] = [];
    const deliver = (): void => {
      const due = waiting.shift();
      if (due === undefined) return;
      const costs = this.costs[due.kind];
      costs.events += 1;
      costs.ms += processorMs(() => {
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

  #split(frame: string | undefined, now: number, deliversUntil: number): readonly ScheduledFrame[] {
    const delta = frame === undefined ? {} : (JSON.parse(frame) as Delta);
    const evenly = (kind: EventKind, parts: readonly Delta[]): readonly ScheduledFrame[] =>
      parts.map((part, n) => ({
        at: now + (n * spreadMs) / this.#times,
        kind,
        frame: JSON.stringify({ ...delta, ...part }),
      }));
    if (delta.kind === 'text') return evenly('text', this.#textParts(delta.text ?? ''));
    if (delta.kind === 'audio') return evenly('audio', this.#soundParts(delta.audio ?? ''));
    const isAlone = deliversUntil <= now;
    if (delta.kind === 'listen' && isAlone)
      return evenly(
        'listen',
        Array.from({ length: this.#times }, () => ({})),
      );
    // The end of an answer follows all its pieces.
    return [{ at: deliversUntil, kind: delta.kind === 'listen' ? 'listen' : 'other', frame }];
  }

  #textParts(text: string): readonly Delta[] {
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

const kind = ['unified', 'deployed'] as const;
const minuteMs = 60_000;
/** Parts per ordinary event. Twelve yields about ten times the events, because short words have fewer characters. */
const partCounts = [1, 3, 12];
const warmMinutes = 1;
const measuredMinutes = 5;
/** The close code of a lost connection. */
const cutCode = 1006;
/** Longer than sessions of a failing server, and different, because equal ages look like a time limit. */
const cutAfterMs = [34_000, 47_000] as const;

export async function measureServerEvents(): Promise<readonly GrowthRow[]> {
  return [...(await measureRate()), await measureReconnects()];
}

interface SplitTalkCost {
  readonly rate: number;
  readonly minuteMs: number;
  readonly wordUs: number;
  readonly soundMs: number;
}

/** The same talk, split into more events. */
async function measureRate(): Promise<readonly GrowthRow[]> {
  const found: SplitTalkCost[] = [];
  for (const times of partCounts) found.push(await measureSplitTalk(times));
  const common = {
    sizeUnit: 'server events per second',
    sizes: found.map(({ rate }) => Number(rate.toFixed(1))),
  };
  return [
    {
      ...common,
      operation: 'handling a text event',
      costs: found.map(({ wordUs }) => wordUs),
      costUnit: 'µs of CPU time per event',
      expected: 'flat',
      reason: 'each event appends to its turn without rereading it',
    },
    {
      ...common,
      operation: 'handling a second of the server’s sound',
      costs: found.map(({ soundMs }) => soundMs),
      costUnit: 'ms of CPU time',
      expected: 'linear',
      reason: 'the same samples in more frames, each parsed and queued',
    },
    {
      ...common,
      operation: 'a minute of a talk',
      costs: found.map((each) => each.minuteMs),
      costUnit: 'ms of CPU time',
      expected: 'linear',
      reason: 'the cost per event is constant',
    },
  ];
}

async function measureSplitTalk(times: number): Promise<SplitTalkCost> {
  const splitter = new EventSplitter(times);
  const talk = new LongTalk(kind, 300, { line: splitter });
  talkUntil(talk, warmMinutes * minuteMs);
  splitter.reset();
  const from = talk.harness.clock.now();
  const used = await cpuTime(() => {
    talkUntil(talk, from + measuredMinutes * minuteMs);
  }, 1);
  const { notHeard } = talk.answers();
  if (notHeard.length > 0) throw new Error(`${notHeard.length} answers were not heard whole.`);
  const passedMs = talk.harness.clock.now() - from;
  const { text, audio } = splitter.costs;
  return {
    rate: (splitter.events * 1000) / passedMs,
    minuteMs: ((used - splitter.splitMs) * minuteMs) / passedMs,
    wordUs: (text.ms * 1000) / text.events,
    soundMs: audio.ms / splitter.soundSeconds,
  };
}

/** Each reconnect is a cut, a wait, and a new session with the transcript. */
async function measureReconnects(): Promise<GrowthRow> {
  const sizes = [5, 20, 80];
  const line = new BreakableSockets();
  const talk = new LongTalk(kind, 300, { line });
  const cut = (count: number): void => {
    talk.harness.clock.after(cutAfterMs[count % 2 === 0 ? 0 : 1], () => {
      line.close(cutCode);
      cut(count + 1);
    });
  };
  cut(0);
  const costs: number[] = [];
  for (const size of sizes) {
    while (talk.reconnects < size) talk.turn();
    costs.push(await measureMinute(talk));
  }
  if (talk.handOvers > 0) throw new Error('The talk handed over instead of losing its connection.');
  return {
    operation: 'a minute of a talk',
    sizeUnit: 'reconnects after lost connections',
    sizes,
    costs,
    costUnit: 'ms of CPU time',
    expected: 'flat',
    reason: 'a lost session is released, and the transcript passed to the next is bounded',
  };
}
