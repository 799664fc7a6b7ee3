import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { ScreenMemory, ScreenPicture } from '../../e2e/fixtures/screen-memory.ts';

/** A picture of the screen, with its time since the launch. */
export interface SeenPicture {
  readonly at: number;
  readonly picture: ScreenPicture;
}

export interface Launch {
  readonly shownAt: number;
  /** When nine tenths of the page's final content was drawn. */
  readonly usableAt: number;
  /** Pixels that differ from the background. */
  readonly ink: number;
}

/** Share of the final content that counts as drawn. */
const drawnShare = 0.9;

/**
 * Finds when a window appeared and when it was drawn. The window is the region that finally differs from the empty screen,
 * its background the most common colour, and its content all other pixels.
 */
function judgeLaunch(empty: ScreenPicture, seen: readonly SeenPicture[]): Launch {
  const first = seen[0];
  const last = seen.at(-1);
  if (first === undefined || last === undefined) throw new Error('No window was seen.');
  const emptyWords = wordsOf(empty);
  const end = wordsOf(last.picture);
  const window = [...end.keys()].filter((at) => end[at] !== emptyWords[at]);
  const background = commonest(window.map((at) => end[at] ?? 0));
  const ink = window.filter((at) => end[at] !== background);
  if (ink.length === 0) throw new Error('The window stayed empty.');
  const isDrawn = ({ picture }: SeenPicture): boolean => {
    const words = wordsOf(picture);
    return ink.filter((at) => words[at] === end[at]).length >= ink.length * drawnShare;
  };
  return { shownAt: first.at, usableAt: (seen.find(isDrawn) ?? last).at, ink: ink.length };
}

function wordsOf({ pixels }: ScreenPicture): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
}

function commonest(colours: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

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
