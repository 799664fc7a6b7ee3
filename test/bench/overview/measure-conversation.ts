import { setTimeout as wait } from 'node:timers/promises';
import { Rig } from '../conversation/rig.ts';
import type { GatewayPlan } from '../conversation/gateway.ts';
import type { SoundTape } from '../conversation/sound-tape.ts';
import { PagePlayer } from './page-player.ts';
import { median } from '../../../shared/statistics.ts';
import type { Row } from './row.ts';

const answers = 4;
/** Uncounted answers, from which Parley learns the server's pace; the page gets them too. */
const learning = 2;
const answerSeconds = 6;

interface Player {
  readonly monitor: SoundTape;
  readonly ask: () => Promise<{ readonly at: number }>;
  readonly end: () => Promise<void>;
}

interface Heard {
  readonly firstSound: number;
  readonly gaps: number;
}

/** The pace of the public server: a short first piece, then a second per second. */
const plan: GatewayPlan = {
  options: { faults: [{ kind: 'shortFirstChunk', ms: 600 }] },
  toneSeconds: answerSeconds,
};

/** Measures answers at the speaker, compared with a page that plays them by WebAudio with a delay of 200 ms. */
export async function measureConversation(): Promise<readonly Row[]> {
  const baseline = await listen(await PagePlayer.open(plan));
  const ours = await listen(await Rig.open({ ...plan, dialect: 'unified' }));
  const again = await listen(await PagePlayer.open(plan));
  const row = (id: string, what: string, of: (heard: Heard) => number): Row => ({
    id,
    section: 'Conversation',
    what,
    unit: 'ms',
    ours: of(ours),
    beside: 'a page in Chromium',
    baseline: of(baseline),
    again: of(again),
  });
  return [
    row('conversation.first', 'from the first delta to its sound', ({ firstSound }) => firstSound),
    row('conversation.gaps', `silence within an answer of ${answerSeconds} s`, ({ gaps }) => gaps),
  ];
}

async function listen(player: Player): Promise<Heard> {
  const [first, gaps]: [number[], number[]] = [[], []];
  try {
    await wait(2000);
    for (let answer = -learning; answer < answers; answer += 1) {
      const { at } = await player.ask();
      await wait((answerSeconds + 3) * 1000);
      const { monitor } = player;
      const from = monitor.sampleAt(at);
      const heard = monitor.firstLoud(from);
      if (heard === undefined) throw new Error('An answer was not heard at all.');
      if (answer < 0) continue;
      first.push(monitor.timeOf(heard) - at);
      gaps.push(monitor.gapsMs(from).reduce((sum, gap) => sum + gap, 0));
    }
  } finally {
    await player.end();
  }
  return { firstSound: median(first), gaps: median(gaps) };
}
