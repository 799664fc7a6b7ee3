import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, CDPSession, Page } from '@playwright/test';
import {
  type Counts,
  countSnapshot,
  describeGrowth,
  growingNames,
  type Mark,
} from '../../leaks/count-heap.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { missingSoundServer } from '../../contract/sound/sound-server.ts';
import { runSoak } from '../../soak/run-soak.ts';
import { tortureWindow } from '../../torture/run-window-torture.ts';
import { windowFaults } from '../../torture/tortured-window.ts';
import { fitLine } from '../../soak/memory-watch.ts';
import { openMini } from '../fixtures/pages/app-windows.ts';

/** A page's counts after a garbage collection: attached and detached nodes, listeners, bytes without code. */
interface PageCounts {
  readonly nodes: number;
  readonly listeners: number;
  readonly dataBytes: number;
}

/** Finalizers may release objects that only the next collection frees. */
const collections = 3;

async function countPage(page: Page): Promise<PageCounts> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('Performance.enable');
    for (let time = 0; time < collections; time += 1)
      await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string): number =>
      metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    const { dataBytes } = countSnapshot(await readHeap(session));
    return { nodes: of('Nodes'), listeners: of('JSEventListeners'), dataBytes };
  } finally {
    await session.detach();
  }
}

async function readHeap(session: CDPSession): Promise<string> {
  const pieces: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(chunk));
  await session.send('HeapProfiler.takeHeapSnapshot', {});
  return pieces.join('');
}

/** The slope per round of a line through all rounds. */
function risePerRound(rounds: readonly PageCounts[]): PageCounts {
  const slope = (of: (counts: PageCounts) => number): number =>
    fitLine(rounds.map((counts, round) => [round, of(counts)])).slope;
  return {
    nodes: slope(({ nodes }) => nodes),
    listeners: slope(({ listeners }) => listeners),
    dataBytes: slope(({ dataBytes }) => dataBytes),
  };
}

async function openEveryPlace(page: Page, electron?: ElectronApplication): Promise<number> {
  let opened = 0;
  const places = page.getByRole('navigation').first().getByRole('button');
  const shown = async (): Promise<void> => {
    await page.locator('main').first().waitFor();
    opened += 1;
  };
  for (let at = 0; at < (await places.count()); at += 1) {
    await places.nth(at).click();
    await shown();
  }
  const sections = page.locator('.section-nav').getByRole('button');
  await sections.first().waitFor();
  for (let at = 0; at < (await sections.count()); at += 1) {
    await sections.nth(at).click();
    await shown();
  }
  await places.first().click();
  opened += await openOverlay(page, 'Control+k');
  opened += await openOverlay(page, 'F1');
  await page.getByRole('button', { name: 'See an example' }).click();
  await page.getByRole('menuitem').first().click();
  const replay = page.getByRole('main', { name: 'Replay' });
  await replay.getByRole('slider', { name: 'Place in the talk' }).waitFor();
  await page.getByRole('button', { name: 'Close the replay' }).click();
  await replay.waitFor({ state: 'detached' });
  opened += 1;
  if (electron === undefined) return opened;
  const mini = await openMini(electron, () =>
    page.getByRole('button', { name: 'Mini window' }).click(),
  );
  const closed = mini.waitForEvent('close');
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes('window=mini'))
      ?.close();
  });
  await closed;
  return opened + 1;
}

/** Opens an overlay by its key, and closes it with Escape. */
async function openOverlay(page: Page, key: string): Promise<number> {
  await page.keyboard.press(key);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return 1;
}

/** How often each place is opened, for example `PARLEY_LEAK_OPENINGS=50`. */
const rounds = Number(process.env['PARLEY_LEAK_OPENINGS'] ?? 8);
/** Rounds before counting: code is loaded the first time and compiled later. */
const warmUps = 3;
/** Limits per round; a leak exceeds them. */
const limits: PageCounts = { nodes: 2, listeners: 0.5, dataBytes: 30_000 };

/** Counts objects, handles, open files and threads of the main process after a collection. */
async function countMain(electron: ElectronApplication, home: string): Promise<Counts> {
  const file = join(home, 'main.heapsnapshot');
  const { pid, resources } = await electron.evaluate((_, file) => {
    process.getBuiltinModule('node:v8').writeHeapSnapshot(file);
    return { pid: process.pid, resources: process.getActiveResourcesInfo() };
  }, file);
  const counts: Record<string, number> = {
    ...countSnapshot(readFileSync(file, 'utf8')).counts,
    'open files': readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  };
  for (const name of resources) counts[`handle ${name}`] = (counts[`handle ${name}`] ?? 0) + 1;
  return counts;
}

/** Leaks on purpose, once a round, which the test has to find. */
async function plantInMain(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(() => {
    class PlantedWindow {
      readonly open = true;
    }
    const kept = (Reflect.get(globalThis, 'planted') ?? []) as unknown[];
    kept.push(new PlantedWindow(), function plantedListener() {});
    Reflect.set(globalThis, 'planted', kept);
  });
}

test(`${rounds} openings of every screen leak nothing in page and main process`, async ({
  running,
  page,
  electron,
  home,
}) => {
  test.setTimeout(120_000 + (rounds + warmUps) * 30_000);
  for (let round = 0; round < warmUps; round += 1) await openEveryPlace(page, running.electron);
  const counts: PageCounts[] = [];
  const marks: Mark[] = [];
  let opened = 0;
  for (let round = 0; round < rounds; round += 1) {
    opened += await openEveryPlace(page, running.electron);
    counts.push(await countPage(page));
    await plantInMain(electron);
    if (round === 0 || round === Math.floor(rounds / 2) || round === rounds - 1)
      marks.push({ rounds: round, counts: await countMain(electron, home) });
  }
  const rise = risePerRound(counts);
  const description =
    `${opened} openings in ${rounds} rounds: ${rise.nodes.toFixed(1)} nodes, ${rise.listeners.toFixed(1)} listeners, ` +
    `${(rise.dataBytes / 1024).toFixed(1)} KB more per round, without code, from ${JSON.stringify(counts[0])}`;
  test.info().annotations.push({ type: 'measured', description });
  expect(rise.nodes, description).toBeLessThan(limits.nodes);
  expect(rise.listeners, description).toBeLessThan(limits.listeners);
  expect(rise.dataBytes, description).toBeLessThan(limits.dataBytes);
  const names = growingNames(marks);
  expect(names, names.map((name) => describeGrowth(marks, name)).join('\n')).toEqual([
    'closure plantedListener',
    'closure PlantedWindow',
    'object PlantedWindow',
  ]);
});

/** The minutes of the talk, for example `PARLEY_SOAK_MINUTES=60`. `npm run soak` runs the same talk without Playwright. */
const minutes = Number(process.env['PARLEY_SOAK_MINUTES'] ?? 3);

test(`${minutes} minutes of a video talk with hand-overs and reconnects lose no sound and leak nothing`, async () => {
  test.setTimeout(120_000 + 1.5 * minutes * 60_000);
  const missing = await missingSoundServer();
  test.skip(missing !== undefined, missing);
  const printed: string[] = [];
  const findings = await runSoak({ minutes, say: (line) => void printed.push(line) });
  const lines = findings.map(({ what, limit, found }) => `${what} (${limit}): ${found}`);
  for (const line of lines) test.info().annotations.push({ type: 'measured', description: line });
  const [machine] = findings;
  test.skip(machine?.met === false, `The machine had no time for sound: ${machine?.found}.`);
  expect(findings.filter(({ met }) => !met).map(({ what, found }) => `${what}: ${found}`)).toEqual(
    [],
  );
});

/** The number of kills, for example `PARLEY_TORTURE_KILLS=54`. `npm run torture -- --window` runs the same without Playwright. */
const kills = Number(process.env['PARLEY_TORTURE_KILLS'] ?? windowFaults.length);

test(`${kills} kills and cuts during a video talk do not end it, unless the whole app is killed`, async () => {
  test.setTimeout(240_000 + kills * 30_000);
  const missing = await missingSoundServer();
  test.skip(missing !== undefined, missing);
  const seed = Math.floor(Math.random() * 1_000_000);
  const report = (line: string): void => {
    test.info().annotations.push({ type: 'measured', description: line });
  };
  const { faults, checks, wrong } = await tortureWindow({ seed, kills, report });
  expect(wrong).toEqual([]);
  expect(faults).toBe(kills);
  expect(checks).toBeGreaterThan(0);
});
