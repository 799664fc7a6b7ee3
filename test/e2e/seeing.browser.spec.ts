import type { Page } from '@playwright/test';
import { usualSeeing } from '../../shared/vision/seeing-settings.ts';
import { fakeCameraFlags } from './fixtures/fake-camera.ts';
import { expect, test } from './fixtures/host.ts';
import { putProbe } from './fixtures/put-probe.ts';

test.use({ flags: async ({ host: _host }, use) => use(fakeCameraFlags()) });

/** How the eye stands, without the stream, which does not leave the page. */
const viewOf = (page: Page) =>
  page.evaluate(() => {
    const view = window.eyeProbe?.eye.view();
    return view?.state === 'lost' ? `lost: ${view.reason}` : view?.state;
  });

test('a permission that is withdrawn while the camera is open is said, and its return is seen', async ({
  page,
}) => {
  await putProbe(page);
  const context = page.context();
  const { origin } = new URL(page.url());
  await context.grantPermissions(['camera'], { origin });
  await page.evaluate((settings) => window.eyeProbe?.eye.open(settings), usualSeeing);
  expect(await viewOf(page)).toBe('open');

  await context.clearPermissions();
  await expect.poll(() => viewOf(page)).toBe('lost: withdrawn');

  await context.grantPermissions(['camera'], { origin });
  await expect.poll(() => viewOf(page)).toBe('open');
});

test('a permission that is not given is said', async ({ page }) => {
  await putProbe(page);
  await page.context().grantPermissions([], { origin: new URL(page.url()).origin });
  await page.evaluate((settings) => window.eyeProbe?.eye.open(settings), usualSeeing);
  expect(await viewOf(page)).toBe('lost: denied');
});
