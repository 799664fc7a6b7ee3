import type { Page } from '@playwright/test';
import { defaultVisionOptions } from '../../../shared/vision/vision-options.ts';
import { injectCaptureProbe } from '../fixtures/build-like-product.ts';
import { fakeCameraFlags } from '../fixtures/fake-camera.ts';
import { expect, test } from '../fixtures/host-test.ts';

test.use({ flags: async ({ host: _host }, use) => use(fakeCameraFlags()) });

/** The capture's state without the stream, which cannot leave the page. */
const viewOf = (page: Page) =>
  page.evaluate(() => {
    const view = window.captureProbe?.capture.view();
    return view?.state === 'lost' ? `lost: ${view.reason}` : view?.state;
  });

test('a permission withdrawn while the camera is open is reported, and its return reopens the camera', async ({
  page,
}) => {
  await injectCaptureProbe(page);
  const context = page.context();
  const { origin } = new URL(page.url());
  await context.grantPermissions(['camera'], { origin });
  await page.evaluate(
    (settings) => window.captureProbe?.capture.open(settings),
    defaultVisionOptions,
  );
  expect(await viewOf(page)).toBe('open');

  await context.clearPermissions();
  await expect.poll(() => viewOf(page)).toBe('lost: withdrawn');

  await context.grantPermissions(['camera'], { origin });
  await expect.poll(() => viewOf(page)).toBe('open');
});

test('a denied permission is reported', async ({ page }) => {
  await injectCaptureProbe(page);
  await page.context().grantPermissions([], { origin: new URL(page.url()).origin });
  await page.evaluate(
    (settings) => window.captureProbe?.capture.open(settings),
    defaultVisionOptions,
  );
  expect(await viewOf(page)).toBe('lost: denied');
});
