import type { Page } from '@playwright/test';
import type { Fault } from '../../../electron/gateway/gateway-options.ts';
import { fakeCameraFlags } from '../fixtures/fake-camera.ts';
import { type FaultyGateway, serveFaults, serverSettings } from '../fixtures/faulty-gateway.ts';
import { expect, test as base } from '../fixtures/host-test.ts';

interface Ended {
  readonly faults: readonly Fault[];
  readonly gateway: FaultyGateway;
}

const test = base.extend<Ended>({
  faults: [[], { option: true }],
  gateway: async ({ faults }, use) => {
    const gateway = await serveFaults(faults);
    await use(gateway);
    await gateway.end();
  },
  stored: ({ gateway }, use) =>
    use({ ...serverSettings(gateway.url), talking: { longTalks: 'ask' } }),
  flags: async ({ host }, use) => {
    const asks = host === 'browser' ? ['--use-fake-ui-for-media-stream'] : [];
    await use([...fakeCameraFlags(), ...asks]);
  },
});

/** A talk wakes a sound card up. */
const patient = { timeout: 30_000 };
const state = (page: Page) => page.getByRole('region', { name: 'This talk' }).getByRole('status');
const tile = (page: Page) => page.getByRole('region', { name: 'Camera', exact: true });

/** A live talk with the camera, whose real track is kept where the test finds it again. */
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
    const kept = Reflect.get(window, 'tracks') as readonly MediaStreamTrack[];
    return kept.map(({ readyState }) => readyState);
  });

/** Nothing sees, and nothing is shown of it. */
async function expectNothingSees(page: Page): Promise<void> {
  await expect.poll(() => tracks(page), patient).toEqual(['ended']);
  await expect(tile(page)).toHaveCount(0);
}

test('the camera goes with a talk that is ended by its person, and the next one has none', async ({
  page,
}) => {
  await talkWithCamera(page);
  await expect(state(page)).toHaveText('Live', patient);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expectNothingSees(page);
  await expect(state(page)).toHaveText('Ended', patient);

  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Start talking' }).click();
  await expect(state(page)).toHaveText('Live', patient);
  await expect(tile(page)).toHaveCount(0);
  expect(await tracks(page)).toEqual(['ended']);
});

test('a page that is loaded anew in a talk sees nothing until it is asked to', async ({ page }) => {
  await talkWithCamera(page);
  await expect(state(page)).toHaveText('Live', patient);
  await page.reload();
  const camera = page.getByRole('button', { name: 'Camera', exact: true });
  await expect(camera).toHaveAttribute('aria-pressed', 'false', patient);
  await expect(tile(page)).toHaveCount(0);
  await camera.click();
  await expect(tile(page).locator('video')).toBeVisible(patient);
});

test.describe('when the time is up', () => {
  // Late enough that a camera on a busy machine is there before.
  test.use({ faults: [{ kind: 'closed', session: 1, atStep: 6, reason: 'timeout' }] });

  test('the camera goes, and comes again when the talk is gone on with', async ({ page }) => {
    await talkWithCamera(page);
    await expectNothingSees(page);
    await page.getByRole('button', { name: 'Continue this talk', exact: true }).click();
    await expect(tile(page).locator('video')).toBeVisible(patient);
    await expect(state(page)).toHaveText('Live', patient);
  });
});

test.describe('when the line is cut for good', () => {
  test.use({
    // Given as they are, Playwright would take the second one for options of the first.
    faults: async ({ language: _language }, use) =>
      use([
        { kind: 'drop', session: 1, atStep: 6 },
        { kind: 'refuse', session: 2, status: 401, body: 'no' },
      ]),
  });

  test('the camera goes', async ({ page }) => {
    await talkWithCamera(page);
    await expectNothingSees(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'The server refused access.',
      patient,
    );
  });
});
