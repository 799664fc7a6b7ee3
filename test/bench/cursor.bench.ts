import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Lifetime } from '../../shared/lifetime.ts';
import { type DrivenApp, openDrivenApp } from './window/driven-app.ts';

const limits = { megabytes: 15, milliseconds: 150 };
const openings = 20;
/** Chromium frees memory of a hidden page one to four minutes later. */
const restMs = 250_000;

interface SmallWindow {
  readonly pid: number;
  readonly shownAt?: number;
}

/**
 * The small window over other programs: its private memory while it is hidden, never shown and after use, and the time from the
 * request to the visible window. The last build runs with its keys on, without a debugger.
 */
export async function bench(): Promise<void> {
  const lifetime = new Lifetime('bench of the small window');
  try {
    const home = await mkdtemp(join(tmpdir(), 'parley-cursor-'));
    lifetime.add(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
    await mkdir(join(home, 'state'));
    const settings = { version: 1, firstRun: { done: true }, cursor: { enabled: true } };
    await writeFile(join(home, 'state/settings.json'), JSON.stringify(settings));
    const app = await openDrivenApp(lifetime, { home });
    const { pid } = await untilSmallWindow(app, () => true);
    await delay(restMs);
    const unused = privateMegabytes(pid);
    const delays: number[] = [];
    for (let opening = 0; opening < openings; opening += 1) delays.push(await open(app));
    const [first = NaN, ...later] = delays;
    const used = privateMegabytes(pid);
    await delay(restMs);
    const rested = privateMegabytes(pid);
    const sorted = later.toSorted((a, b) => a - b);
    const met =
      rested <= limits.megabytes && unused <= limits.megabytes && first <= limits.milliseconds;
    process.stdout.write(
      `The small window, load ${loadavg()[0]?.toFixed(1)}\n` +
        `  private memory   ${unused.toFixed(1)} MB before its first use; ${used.toFixed(1)} MB just after ${openings} openings, ` +
        `${rested.toFixed(1)} MB at rest (at most ${limits.megabytes})\n` +
        `  until visible    first ${first} ms (at most ${limits.milliseconds}), then median ${sorted[Math.floor(sorted.length / 2)]} ms, ` +
        `longest ${sorted.at(-1)} ms\n` +
        `  ${met ? 'met' : 'NOT MET'}\n`,
    );
  } finally {
    await lifetime.end();
  }
}

async function open(app: DrivenApp): Promise<number> {
  const from = Date.now();
  await app.ask('page', "parley.request('openQuick', {}).then(() => undefined)");
  const { shownAt = NaN } = await untilSmallWindow(app, ({ shownAt = 0 }) => shownAt >= from);
  await delay(500);
  await app.ask('page', "parley.request('closeQuick', undefined).then(() => undefined)");
  await delay(500);
  return shownAt - from;
}

async function untilSmallWindow(
  app: DrivenApp,
  isReached: (small: SmallWindow) => boolean,
): Promise<SmallWindow> {
  const until = performance.now() + 30_000;
  while (performance.now() < until) {
    const small = (await app.ask('cursor')) as SmallWindow | undefined;
    if (small !== undefined && isReached(small)) return small;
    await delay(50);
  }
  throw new Error('The small window did not appear.');
}

function privateMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const of = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024;
  return of('Private_Clean') + of('Private_Dirty');
}
