// What is measured, in a process of its own: sound through our driver, or through plain naudiodon.
import { inputRate, outputRate } from '../../../shared/protocol/protocol-limits.ts';
import { instant } from '../../contract/sound/player.ts';
import { naudiodonPath } from './naudiodon-path.ts';
import { ourPath } from './our-path.ts';
import type { Hear } from './sound-path.ts';
import { Tone, ToneWatch } from './tone.ts';

export interface Order {
  readonly id: number;
  readonly what: 'play' | 'cut' | 'block' | 'listen' | 'look' | 'close';
}

/** Both directions' figures since `listen`. */
export interface Answer {
  readonly id: number;
  /** When it was done. */
  readonly at: number;
  readonly began?: number | undefined;
  readonly breaks: number;
  readonly missing: number;
  readonly captured: number;
  readonly lost: number;
  readonly rss: number;
  readonly cpu: number;
}

export async function run(which: string): Promise<void> {
  const watch = new ToneWatch(inputRate);
  let captured = 0;
  const hear: Hear = (block) => {
    captured += block.length;
    watch.hear(block, instant());
  };
  const tone = new Tone(outputRate);
  const path = which === 'ours' ? await ourPath(tone, hear) : await naudiodonPath(tone, hear);
  const doings: Readonly<Record<Order['what'], () => unknown>> = {
    play: path.play,
    cut: path.cut,
    block: () => {
      for (const end = performance.now() + 500; performance.now() < end;);
    },
    listen: () => {
      watch.reset();
      captured = 0;
    },
    look: () => undefined,
    close: path.close,
  };
  async function carryOut({ id, what }: Order): Promise<void> {
    const at = instant();
    await doings[what]();
    const { user, system } = process.cpuUsage();
    const { began, breaks, missing } = watch;
    const { rss } = process.memoryUsage();
    const cpu = (user + system) / 1000;
    const answer: Answer = {
      id,
      at,
      began,
      breaks,
      missing,
      captured,
      lost: path.lost(),
      rss,
      cpu,
    };
    process.send?.(answer);
    if (what === 'close') process.disconnect();
  }
  process.on('message', (order: Order) => void carryOut(order));
  process.send?.({ id: 0 });
}
