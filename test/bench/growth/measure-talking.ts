import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { cpuTime } from '../../fakes/cpu-time.ts';
import { LongTalk } from '../../unit/electron/talk/long-talk.ts';
import type { GrowthRow } from './growth-row.ts';

const minuteMs = 60_000;
/** Minutes of talk that each result averages. */
const measuredMinutes = 2;

/** Measures growth with a talk's length and sessions, on a virtual clock with the embedded gateway. */
export async function measureTalking(): Promise<readonly GrowthRow[]> {
  return [...(await measureLength()), await measureSessions()];
}

async function measureLength(): Promise<readonly GrowthRow[]> {
  const sizes = [1, 10, 60];
  const talk = new LongTalk(['unified', 'deployed'], 300);
  const [costs, heaps]: [number[], number[]] = [[], []];
  for (const minute of sizes) {
    talkUntil(talk, minute * minuteMs);
    heaps.push(heapMb());
    costs.push(await measureMinute(talk));
  }
  const sizeUnit = 'minutes of a talk so far';
  return [
    {
      operation: 'a minute of a talk',
      sizeUnit,
      sizes,
      costs,
      costUnit: 'ms of CPU time',
      expected: 'flat',
      reason: 'only a bounded transcript is kept',
    },
    {
      operation: 'memory in all',
      sizeUnit,
      sizes,
      costs: heaps,
      costUnit: 'MB',
      expected: 'linear',
      reason: 'the bench itself keeps a mark of each frame and each word',
    },
  ];
}

/** Each session is a new connection with a carry-over. */
async function measureSessions(): Promise<GrowthRow> {
  const sizes = [5, 20, 80];
  const talk = new LongTalk(['unified', 'deployed'], 20);
  const costs: number[] = [];
  for (const size of sizes) {
    while (talk.handOvers < size) talk.turn();
    costs.push(await measureMinute(talk));
  }
  return {
    operation: 'a minute of a talk',
    sizeUnit: 'sessions so far',
    sizes,
    costs,
    costUnit: 'ms of CPU time',
    expected: 'flat',
    reason: 'ended sessions are released, and the carry-over is bounded',
  };
}

function heapMb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}

export function talkUntil(talk: LongTalk, ms: number): void {
  while (talk.harness.clock.now() < ms) talk.turn();
}

/** Processor milliseconds per minute of the talk, averaged over the next two. */
export async function measureMinute(talk: LongTalk): Promise<number> {
  const from = talk.harness.clock.now();
  const used = await cpuTime(() => {
    talkUntil(talk, from + measuredMinutes * minuteMs);
  }, 1);
  return (used * minuteMs) / (talk.harness.clock.now() - from);
}
