import type { Page } from '@playwright/test';
import type { Fault } from '../../../electron/gateway/gateway-options.ts';
import { withFakeCamera } from '../fixtures/fake-camera.ts';
import { expect, test as base } from '../fixtures/host-test.ts';
import { talkState, waitUntilLive } from '../fixtures/pages/talk-page.ts';
import { type FaultyGateway, serveFaults, serverSettings } from '../fixtures/servers.ts';

interface EndingFixtures {
  readonly faults: readonly Fault[];
  readonly gateway: FaultyGateway;
}

const test = base.extend<EndingFixtures>({
  faults: [[], { option: true }],
  gateway: async ({ faults }, use) => {
    const gateway = await serveFaults(faults);
    await use(gateway);
    await gateway.end();
  },
  stored: ({ gateway }, use) =>
    use({ ...serverSettings(gateway.url), talking: { longTalks: 'ask' } }),
  flags: withFakeCamera(),
});

const patient = { timeout: 30_000 };
const tile = (page: Page) => page.getByRole('region', { name: 'Camera', exact: true });

/** Starts a video talk, and keeps its track for later checks. */
async function talkWithCamera(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start with the camera' }).click();
  await expect(tile(page).locator('video')).toBeVisible(patient);
  await page.evaluate(() => {
    const video = document.querySelector<HTMLVideoElement>('.capture video');
    const stream = video?.srcObject;
    Reflect.set(window, 'tracks', stream instanceof MediaStream ? stream.getTracks() : []);
  });
  expect(await tracks(page)).toEqual(['live']);
}

const tracks = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const stored = Reflect.get(window, 'tracks') as readonly MediaStreamTrack[];
    return stored.map(({ readyState }) => readyState);
  });

async function expectCameraOff(page: Page): Promise<void> {
  await expect.poll(() => tracks(page), patient).toEqual(['ended']);
  await expect(tile(page)).toHaveCount(0);
}

test('the camera turns off when the user ends the talk, and stays off in the next one', async ({
  page,
}) => {
  await talkWithCamera(page);
  await waitUntilLive(page);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expectCameraOff(page);
  await expect(talkState(page)).toHaveText('Ended', patient);

  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Start talking' }).click();
  await waitUntilLive(page);
  await expect(tile(page)).toHaveCount(0);
  expect(await tracks(page)).toEqual(['ended']);
});

test('a page reloaded during a talk keeps the camera off until asked', async ({ page }) => {
  await talkWithCamera(page);
  await waitUntilLive(page);
  await page.reload();
  const camera = page.getByRole('button', { name: 'Camera', exact: true });
  await expect(camera).toHaveAttribute('aria-pressed', 'false', patient);
  await expect(tile(page)).toHaveCount(0);
  await camera.click();
  await expect(tile(page).locator('video')).toBeVisible(patient);
});

test.describe('when the time is up', () => {
  // Late enough for a camera on a busy machine.
  test.use({ faults: [{ kind: 'closed', session: 1, atStep: 6, reason: 'timeout' }] });

  test('the camera turns off, and on again when the talk continues', async ({ page }) => {
    await talkWithCamera(page);
    await expectCameraOff(page);
    await page.getByRole('button', { name: 'Continue this talk', exact: true }).click();
    await expect(tile(page).locator('video')).toBeVisible(patient);
    await waitUntilLive(page);
  });
});

test.describe('when the connection is lost for good', () => {
  test.use({
    // A function, because Playwright takes the second element of a plain list for options.
    faults: async ({ language: _language }, use) =>
      use([
        { kind: 'drop', session: 1, atStep: 6 },
        { kind: 'refuse', session: 2, status: 401, body: 'no' },
      ]),
  });

  test('the camera turns off', async ({ page }) => {
    await talkWithCamera(page);
    await expectCameraOff(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'The server refused access.',
      patient,
    );
  });
});
