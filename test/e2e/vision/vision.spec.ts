import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { defaultVisionOptions } from '../../../shared/vision/vision-options.ts';
import { injectCaptureProbe } from '../fixtures/build-like-product.ts';
import { fakeCameraFlags, withFakeCamera } from '../fixtures/fake-camera.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { waitUntilLive } from '../fixtures/pages/talk-page.ts';

test.use({ flags: withFakeCamera() });

test('shrinking fine stripes gives an even grey without moiré @nightly', async ({ page }) => {
  await injectCaptureProbe(page);
  for (const from of [720, 1080]) {
    const spread = await page.evaluate(
      (from) => window.captureProbe?.shrinkStripes(from, 336),
      from,
    );
    expect.soft(spread, `${from} to 336`).toBeLessThan(20);
  }
});

test('no frame is grabbed before the video has data @nightly', async ({ page }) => {
  await injectCaptureProbe(page);
  const [early, late] = await page.evaluate(async (settings) => {
    const probe = window.captureProbe;
    if (probe === undefined) throw new Error('The probe has not been injected.');
    await probe.capture.open(settings);
    // A video knows its size before it has a picture, on a busy machine long before.
    const known = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'readyState') ?? {};
    const { HAVE_METADATA } = HTMLMediaElement;
    Object.defineProperty(HTMLMediaElement.prototype, 'readyState', {
      ...known,
      get: () => HAVE_METADATA,
    });
    let taken = 0;
    const taking = probe.grab(1).then((count) => (taken = count));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const early = taken;
    Object.defineProperty(HTMLMediaElement.prototype, 'readyState', known);
    return [early, await taking];
  }, defaultVisionOptions);
  expect({ early, late }).toEqual({ early: 0, late: 1 });
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

test('grabbed frames are freed, even without a GPU @nightly', async ({ page, running }) => {
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

test('the tile shows what the model saw, with detail and crop as chosen', async ({ page }) => {
  await page.getByRole('button', { name: 'Start with the camera' }).click();
  await waitUntilLive(page);
  const tile = page.getByRole('region', { name: 'Camera', exact: true });
  await tile.getByRole('button', { name: 'As Parley saw it' }).click();
  await expect(tile.getByText(/^517 × 387 · \d+ KB$/)).toBeVisible();
  await expect.poll(() => colours(page)).toEqual(['red', 'blue']);

  await tile.getByRole('button', { name: 'Picture settings' }).click();
  await page.getByRole('slider', { name: 'Detail' }).focus();
  await page.keyboard.press('End');
  await expect(tile.getByText(/^640 × 480/)).toBeVisible();
  await page.keyboard.press('Escape');

  await tile.getByRole('button', { name: 'Share only a part' }).click();
  const part = page.getByRole('group', { name: /^Part:/ });
  await expect(part).toBeFocused();
  for (let step = 0; step < 14; step += 1) await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Share this part' }).click();
  await expect(tile.getByText(/^320 × 240/)).toBeVisible();
  // The preview is mirrored: its right half is the camera's left half.
  await expect.poll(() => colours(page)).toEqual(['red', 'red']);
});

/** The colours of the left and right half of the picture that the model saw. */
function colours(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const picture = document.querySelector<HTMLImageElement>('.capture-picture img');
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [8, 1];
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    if (picture === null || pen === null) return [];
    pen.drawImage(picture, 0, 0, 8, 1);
    return [1, 6].map((x) => {
      const [red = 0, green = 0, blue = 0] = pen.getImageData(x, 0, 1, 1).data;
      if (red > 150 && green < 90 && blue < 90) return 'red';
      if (blue > 150 && green < 90 && red < 90) return 'blue';
      return `${red} ${green} ${blue}`;
    });
  });
}

test('the camera is off after a reload and after the end of a talk, until the user asks for it', async ({
  page,
}) => {
  const tile = page.getByRole('region', { name: 'Camera', exact: true });
  await page.getByRole('button', { name: 'Start with the camera' }).click();
  await expect(tile.locator('video')).toBeVisible();
  await waitUntilLive(page);
  await page.reload();
  const camera = page.getByRole('button', { name: 'Camera', exact: true });
  await expect(camera).toHaveAttribute('aria-pressed', 'false');
  await expect(tile).toHaveCount(0);
  await camera.click();
  await expect(tile.locator('video')).toBeVisible();
  const tracks = await page.evaluateHandle(() => {
    const stream = document.querySelector<HTMLVideoElement>('.capture video')?.srcObject;
    return stream instanceof MediaStream ? stream.getTracks() : [];
  });
  const states = () => tracks.evaluate((all) => all.map(({ readyState }) => readyState));
  expect(await states()).toEqual(['live']);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect.poll(states).toEqual(['ended']);
  await expect(tile).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Start talking' }).click();
  await waitUntilLive(page);
  await expect(tile).toHaveCount(0);
});

test.describe('with a browser that asks for permissions', () => {
  test.use({ flags: async ({ host: _host }, use) => use(fakeCameraFlags()) });

  test('a permission withdrawn while the camera is open is reported, and its return reopens the camera @nightly', async ({
    page,
    host,
  }) => {
    test.skip(host !== 'browser', 'the window asks Parley for the permission');
    await injectCaptureProbe(page);
    const context = page.context();
    const { origin } = new URL(page.url());
    /** The capture's state without the stream, which cannot leave the page. */
    const viewed = () =>
      page.evaluate(() => {
        const view = window.captureProbe?.capture.view();
        return view?.state === 'lost' ? `lost: ${view.reason}` : view?.state;
      });
    await context.grantPermissions(['camera'], { origin });
    await page.evaluate(
      (settings) => window.captureProbe?.capture.open(settings),
      defaultVisionOptions,
    );
    expect(await viewed()).toBe('open');

    await context.clearPermissions();
    await expect.poll(viewed).toBe('lost: withdrawn');

    await context.grantPermissions(['camera'], { origin });
    await expect.poll(viewed).toBe('open');
  });
});
