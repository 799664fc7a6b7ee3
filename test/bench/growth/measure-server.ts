import { cpuTime } from '../../fakes/cpu-time.ts';
import { BreakableSockets } from '../../unit/electron/talk/breakable-sockets.ts';
import { LongTalk } from '../../unit/electron/talk/long-talk.ts';
import { BusyLine } from './busy-line.ts';
import type { GrowthRow } from './growth-row.ts';
import { measureMinute, talkUntil } from './measure-talking.ts';

const kind = ['unified', 'deployed'] as const;
const minuteMs = 60_000;
/** Parts per ordinary event. Twelve yields about ten times the events, because short words have fewer characters. */
const parts = [1, 3, 12];
const warmMinutes = 1;
const measuredMinutes = 5;
/** The close code of a lost connection. */
const cutCode = 1006;
/** Longer than sessions of a failing server, and different, because equal ages look like a time limit. */
const cutAfterMs = [34_000, 47_000] as const;

/** Measures growth with the server's event rate and with reconnects. */
export async function measureServer(): Promise<readonly GrowthRow[]> {
  return [...(await measureRate()), await measureReconnects()];
}

interface Busy {
  readonly rate: number;
  readonly minuteMs: number;
  readonly wordUs: number;
  readonly soundMs: number;
}

/** The same talk, split into more events. */
async function measureRate(): Promise<readonly GrowthRow[]> {
  const found: Busy[] = [];
  for (const times of parts) found.push(await talkWith(times));
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

async function talkWith(times: number): Promise<Busy> {
  const line = new BusyLine(times);
  const talk = new LongTalk(kind, 300, { line });
  talkUntil(talk, warmMinutes * minuteMs);
  line.forget();
  const from = talk.harness.clock.now();
  const used = await cpuTime(() => {
    talkUntil(talk, from + measuredMinutes * minuteMs);
  }, 1);
  const { notHeard } = talk.answers();
  if (notHeard.length > 0) throw new Error(`${notHeard.length} answers were not heard whole.`);
  const passedMs = talk.harness.clock.now() - from;
  const { text, audio } = line.taken;
  return {
    rate: (line.events * 1000) / passedMs,
    minuteMs: ((used - line.splitMs) * minuteMs) / passedMs,
    wordUs: (text.ms * 1000) / text.events,
    soundMs: audio.ms / line.soundSeconds,
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
