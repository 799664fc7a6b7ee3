import { setTimeout as wait } from 'node:timers/promises';
import { Rig } from '../conversation/rig.ts';
import type { GatewayPlan } from '../conversation/gateway.ts';
import type { SoundTape } from '../conversation/sound-tape.ts';
import { PagePlayer } from './page-player.ts';
import { median } from './row.ts';
import type { Row } from './row.ts';

const answers = 4;
/** The first answers teach Parley the server's pace; a page learns nothing, and has them all the same. */
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

/** As the public server sends: a short first piece, then a second each second. */
const plan: GatewayPlan = {
  options: { faults: [{ kind: 'shortFirstChunk', ms: 600 }] },
  toneSeconds: answerSeconds,
};

/** Answers as they are heard at the speaker, beside a page that plays them by WebAudio 200 ms late. */
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
    row('conversation.first', 'from the first piece to its sound', ({ firstSound }) => firstSound),
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
