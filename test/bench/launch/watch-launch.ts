import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { ScreenMemory } from '../../e2e/fixtures/screen-memory.ts';
import { judgeLaunch } from './usable-at.ts';
import type { Launch, SeenPicture } from './usable-at.ts';

const pollMs = 5;
/** Timeouts, and `calmMs` without a change before a window counts as drawn. */
const limits = { searchMs: 30_000, calmMs: 1500, picturesMs: 6000 };

interface Program {
  readonly program: string;
  readonly home: string;
  readonly display: string;
}

/** Starts a program and watches the screen until it stops changing. */
export async function watchLaunch(
  { program, home, display }: Program,
  screen: ScreenMemory,
): Promise<Launch> {
  const empty = screen.read();
  const began = performance.now();
  const child = spawn(
    program,
    [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--lang=en-GB'],
    {
      env: { ...process.env, DISPLAY: display, XDG_CONFIG_HOME: home, PARLEY_STATE_DIR: home },
      stdio: 'ignore',
    },
  );
  const closed = once(child, 'close');
  const seen: SeenPicture[] = [];
  let before = empty;
  try {
    for (;;) {
      const picture = screen.read();
      const at = performance.now() - began;
      if (!picture.pixels.equals(before.pixels)) seen.push({ at, picture });
      before = picture;
      const first = seen[0]?.at;
      const last = seen.at(-1)?.at;
      if (first === undefined || last === undefined) {
        if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}.`);
        if (at > limits.searchMs) throw new Error(`${program} showed no window in ${at} ms.`);
      } else if (at - last > limits.calmMs || at - first > limits.picturesMs) break;
      await delay(pollMs);
    }
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
  await untilEmpty(screen, empty.pixels);
  return judgeLaunch(empty, seen);
}

/** Waits until the previous window is gone. */
async function untilEmpty(screen: ScreenMemory, empty: Buffer): Promise<void> {
  const until = performance.now() + limits.searchMs;
  while (!screen.read().pixels.equals(empty)) {
    if (performance.now() > until) throw new Error('A window stayed on the screen.');
    await delay(pollMs);
  }
}
