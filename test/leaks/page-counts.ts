import type { CDPSession, Page } from '@playwright/test';
import { fitLine } from '../soak/linear-fit.ts';
import { countSnapshot } from './count-heap.ts';

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
