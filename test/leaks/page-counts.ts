import type { CDPSession, Page, ElectronApplication } from '@playwright/test';
import { fitLine } from '../soak/memory-watch.ts';
import { countSnapshot } from './count-heap.ts';
import { openMini } from '../e2e/fixtures/pages/app-windows.ts';

/** A page's counts after a garbage collection: attached and detached nodes, listeners, bytes without code. */
export interface PageCounts {
  readonly nodes: number;
  readonly listeners: number;
  readonly dataBytes: number;
}

/** Finalizers may release objects that only the next collection frees. */
const collections = 3;

export async function countPage(page: Page): Promise<PageCounts> {
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
export function risePerRound(rounds: readonly PageCounts[]): PageCounts {
  const slope = (of: (counts: PageCounts) => number): number =>
    fitLine(rounds.map((counts, round) => [round, of(counts)])).slope;
  return {
    nodes: slope(({ nodes }) => nodes),
    listeners: slope(({ listeners }) => listeners),
    dataBytes: slope(({ dataBytes }) => dataBytes),
  };
}

export async function openEveryPlace(page: Page, electron?: ElectronApplication): Promise<number> {
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
