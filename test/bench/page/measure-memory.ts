import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from '@playwright/test';
import { tellTalk } from './talk-script.ts';

const speed = 20;
const minutes = 30;
const limitMb = 30;

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

/** Growth of the page's process after half an hour of notices at twenty times the speed. */
export async function measureMemory(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  // The first minute loads and compiles code, and is not counted.
  const first = (60 * 1000) / speed;
  await page.evaluate(tellTalk, { wordsBehind: 0, forMs: first, speed });
  const before = await memoryOf(session, page);
  const forMs = (minutes * 60 * 1000) / speed;
  const { words, levels } = await page.evaluate(tellTalk, { wordsBehind: 0, forMs, speed });
  const after = await memoryOf(session, page);
  const grown = after.rss - before.rss;
  return [
    `${words} words and ${levels} levels, as in ${minutes} minutes, sent within ${forMs / 1000} s`,
    `after a collection: heap ${shown(before.heap)} to ${shown(after.heap)} MB, ` +
      `process ${shown(before.rss)} to ${shown(after.rss)} MB`,
    `limit +${limitMb} MB: ${grown <= limitMb ? 'met' : 'NOT MET'} (${grown.toFixed(1)})`,
  ];
}

async function memoryOf(session: CDPSession, page: Page): Promise<Memory> {
  for (let time = 0; time < 3; time += 1) {
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(500);
  }
  const { metrics } = await session.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  return { heap: heap / 1024 / 1024, rss: await rendererRss(page) };
}

/** Memory of the largest renderer; the browser also has a small spare one. */
async function rendererRss(page: Page): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) return Number.NaN;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    });
  return Math.max(...sizes);
}

const shown = (megabytes: number): string => megabytes.toFixed(1);
