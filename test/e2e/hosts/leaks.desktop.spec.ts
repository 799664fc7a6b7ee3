import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import {
  countSnapshot,
  growingNames,
  describeGrowth,
  type Counts,
  type Mark,
} from '../../leaks/count-heap.ts';
import {
  openEveryPlace,
  countPage,
  risePerRound,
  type PageCounts,
} from '../../leaks/page-counts.ts';
import { expect, test } from '../fixtures/host-test.ts';

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

async function plantInPage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const kept = Array.from({ length: 5 }, () => document.createElement('p'));
    const words = Array.from({ length: 10_000 }, (_, at) => at / 3);
    window.addEventListener('resize', () => kept.push(...kept.slice(words.length)));
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
    `${(rise.dataBytes / 1024).toFixed(1)} KB more that are no code a round, from ${JSON.stringify(counts[0])}`;
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

  const withPlants: PageCounts[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await plantInPage(page);
    withPlants.push(await countPage(page));
  }
  const planted = risePerRound(withPlants);
  expect(planted.nodes).toBeGreaterThan(limits.nodes);
  expect(planted.listeners).toBeGreaterThan(limits.listeners);
  expect(planted.dataBytes).toBeGreaterThan(limits.dataBytes);
});
