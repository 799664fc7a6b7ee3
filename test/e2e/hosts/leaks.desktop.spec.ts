import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { countSnapshot } from '../../leaks/count-heap.ts';
import type { Counts } from '../../leaks/count-heap.ts';
import { grown, inNumbers } from '../../leaks/grown.ts';
import type { Mark } from '../../leaks/grown.ts';
import { openEveryPlace } from '../../leaks/open-every-place.ts';
import { countPage, risePerRound } from '../../leaks/page-counts.ts';
import type { PageCounts } from '../../leaks/page-counts.ts';
import { expect, test } from '../fixtures/host-test.ts';

/** `PARLEY_LEAK_OPENINGS=50`: each place is opened so often. */
const rounds = Number(process.env['PARLEY_LEAK_OPENINGS'] ?? 8);
/** What is loaded the first time a place is seen, and compiled when it is seen again. */
const warmUps = 3;
/** A round in which something stays has more than this. */
const most: PageCounts = { nodes: 2, listeners: 0.5, dataBytes: 30_000 };

/** Of the main process, after a collection; what is open and what keeps it alive besides. */
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

/** What stays once a round on purpose: whoever does not find it finds nothing. */
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

test(`${rounds} openings of every place leave nothing behind in page and main process, and what is left on purpose is found`, async ({
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
  expect(rise.nodes, description).toBeLessThan(most.nodes);
  expect(rise.listeners, description).toBeLessThan(most.listeners);
  expect(rise.dataBytes, description).toBeLessThan(most.dataBytes);
  const names = grown(marks);
  expect(names, names.map((name) => inNumbers(marks, name)).join('\n')).toEqual([
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
  expect(planted.nodes).toBeGreaterThan(most.nodes);
  expect(planted.listeners).toBeGreaterThan(most.listeners);
  expect(planted.dataBytes).toBeGreaterThan(most.dataBytes);
});
