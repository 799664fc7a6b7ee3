// The measured child process: sound through our driver or plain naudiodon.
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { instant } from '../../contract/sound/player.ts';
import { naudiodonPath, type OnCaptured, ourPath } from './sound-paths.ts';
import { Tone, ToneWatch } from './tone.ts';

export interface Command {
  readonly id: number;
  readonly what: 'play' | 'flush' | 'block' | 'reset' | 'stats' | 'close';
}

/** Figures of both directions since `reset`. */
export interface Reply {
  readonly id: number;
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
  const onCaptured: OnCaptured = (block) => {
    captured += block.length;
    watch.push(block, instant());
  };
  const tone = new Tone(outputRate);
  const path =
    which === 'ours' ? await ourPath(tone, onCaptured) : await naudiodonPath(tone, onCaptured);
  const actions: Readonly<Record<Command['what'], () => unknown>> = {
    play: path.play,
    flush: path.flush,
    block: () => {
      for (const end = performance.now() + 500; performance.now() < end;);
    },
    reset: () => {
      watch.reset();
      captured = 0;
    },
    stats: () => undefined,
    close: path.close,
  };
  async function carryOut({ id, what }: Command): Promise<void> {
    const at = instant();
    await actions[what]();
    const { user, system } = process.cpuUsage();
    const { began, breaks, missing } = watch;
    const { rss } = process.memoryUsage();
    const cpu = (user + system) / 1000;
    const reply: Reply = {
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
    process.send?.(reply);
    if (what === 'close') process.disconnect();
  }
  process.on('message', (command: Command) => void carryOut(command));
  process.send?.({ id: 0 });
}
