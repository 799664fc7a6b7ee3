import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { defaultVisionOptions } from '../../../shared/vision/vision-options.ts';
import { injectCaptureProbe } from '../fixtures/build-like-product.ts';
import { withFakeCamera } from '../fixtures/fake-camera.ts';
import { expect, test } from '../fixtures/host-test.ts';

test.use({
  flags: withFakeCamera(30),
});

/** The memory of all page processes in MB; a leaked frame is in one of them. */
async function memoryOf(page: Page, pids: () => Promise<readonly number[]>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
  const sizes = (await pids()).map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('grabbed frames are freed, even without a GPU', async ({ page, running }) => {
  const { electron } = running;
  const pids = async (): Promise<readonly number[]> => {
    if (electron !== undefined) {
      return electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getOSProcessId()),
      );
    }
    const session = await page.context().browser()?.newBrowserCDPSession();
    if (session === undefined) throw new Error('The browser has not been started.');
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  };
  const grab = (times: number) => page.evaluate((times) => window.captureProbe?.grab(times), times);

  await injectCaptureProbe(page);
  await page.evaluate(
    (settings) => window.captureProbe?.capture.open(settings),
    defaultVisionOptions,
  );
  // Excludes what is allocated once.
  expect(await grab(10)).toBe(10);
  const before = await memoryOf(page, pids);
  expect(await grab(60)).toBe(60);
  const grown = (await memoryOf(page, pids)) - before;
  test.info().annotations.push({
    type: 'measured',
    description: `60 pictures of 640 × 480 grabbed: ${grown.toFixed(0)} MB more in the page`,
  });
  // Leaked frames would take 70 MB: each has 1.2 MB of pixels.
  expect(grown).toBeLessThan(25);
});
