import { cpuTime } from '../../fakes/cpu-time.ts';
import type { LongTalk } from '../../unit/electron/talk/long-talk.ts';

const minuteMs = 60_000;
/** Minutes of talk that each result averages. */
const measuredMinutes = 2;

export function talkUntil(talk: LongTalk, ms: number): void {
  while (talk.stage.clock.now() < ms) talk.turn();
}

/** Processor milliseconds for the next minute of the talk. */
export async function measureMinute(talk: LongTalk): Promise<number> {
  const from = talk.stage.clock.now();
  const used = await cpuTime(() => {
    talkUntil(talk, from + measuredMinutes * minuteMs);
  }, 1);
  return (used * minuteMs) / (talk.stage.clock.now() - from);
}
