import type { Page } from '@playwright/test';
import { fakeCameraFlags } from '../fixtures/fake-camera.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { waitUntilLive } from '../fixtures/pages/talk-page.ts';

test.use({ flags: async ({ host: _host }, use) => use(fakeCameraFlags()) });

type MediaRequest = 'camera' | 'microphone' | 'both' | 'screen';

/** The engine's answer to a page that bypasses Parley: the error's name, or `given`. */
function askEngine(page: Page, wanted: MediaRequest): Promise<string> {
  return page.evaluate(async (wanted) => {
    const { mediaDevices } = navigator;
    const open = (): Promise<MediaStream> => {
      if (wanted === 'screen') return mediaDevices.getDisplayMedia({ video: true });
      return mediaDevices.getUserMedia({
        video: wanted !== 'microphone',
        audio: wanted !== 'camera',
      });
    };
    try {
      const stream = await open();
      for (const track of stream.getTracks()) track.stop();
      return 'given';
    } catch (error) {
      return error instanceof Error ? error.name : 'no error';
    }
  }, wanted);
}

test('the app opens no camera or screen before the user turns it on, and lists no screen without user input', async ({
  page,
  running,
}) => {
  // The page's permissions policy forbids the microphone first.
  running.consoleWatch.allow(/Permissions policy violation: microphone/);
  for (const wanted of ['camera', 'microphone', 'both'] as const) {
    // A new engine may not know its cameras yet and then reports another error.
    await expect.poll(() => askEngine(page, wanted), wanted).toBe('NotAllowedError');
  }
  expect(await askEngine(page, 'screen')).not.toBe('given');

  await page.evaluate(() => window.parley?.request('setCapturePermission', { open: 'camera' }));
  expect(await askEngine(page, 'camera')).toBe('given');
  for (const wanted of ['microphone', 'both'] as const) {
    expect(await askEngine(page, wanted), wanted).toBe('NotAllowedError');
  }
  expect(await askEngine(page, 'screen')).not.toBe('given');

  await page.evaluate(() => window.parley?.request('setCapturePermission', { open: 'nothing' }));
  expect(await askEngine(page, 'camera')).toBe('NotAllowedError');

  const ask = () =>
    page.evaluate(async () => {
      const list = await window.parley?.request('shareables', { thumbnails: false });
      const first = list?.ok === true ? list.value.list[0]?.id : 'screen:0:0';
      const shown = await window.parley?.request('setCapturePermission', {
        open: 'screen',
        id: first,
      });
      return [list, shown].map((reply) => (reply?.ok === false ? reply.error.code : 'done'));
    });
  // Synthetic events do not count as input.
  await page.evaluate(() => {
    document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
    document.body.click();
  });
  await page.mouse.move(100, 100);
  expect(await ask()).toEqual(['screenUnasked', 'screenUnasked']);
  await page.keyboard.press('Shift');
  expect(await ask()).toEqual(['done', 'done']);
});

test('a talk starts with a screen picked from a list, and giving up the choice of a part shares nothing', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Start with the screen' }).click();
  const list = page.getByRole('dialog', { name: 'Which screen?' });
  await list.getByRole('listitem').getByRole('button').first().click();
  await waitUntilLive(page);
  const tile = page.getByRole('region', { name: 'What you share' });
  await tile.getByRole('button', { name: 'As Parley saw it' }).click();
  await expect(tile.getByText(/^\d+ × \d+ · \d+ KB/)).toBeVisible();

  // A region is shared only once its part is chosen; giving up shares nothing.
  await tile.getByRole('button', { name: 'What to share' }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Part of a screen…' }).click();
  await page
    .getByRole('dialog', { name: 'Part of which screen?' })
    .getByRole('listitem')
    .getByRole('button')
    .first()
    .click();
  await expect(page.getByRole('group', { name: /^Part:/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tile).toHaveCount(0);
});

test.describe('with a hidden window', () => {
  test.use({
    stored: {
      firstRun: { done: true },
      assistant: { generation: { chunkMs: 250 } },
      // Sends every picture, even of a still screen.
      vision: { budget: 5 },
    },
  });

  test('sharing continues with a worker as its timer @nightly', async ({ page }) => {
    await page.evaluate(() => {
      const sent = { count: 0 };
      Reflect.set(window, 'framesSent', sent);
      window.parley?.onNotice(({ name }) => {
        if (name === 'frameSent') sent.count += 1;
      });
    });
    const framesSent = () =>
      page.evaluate(() => (Reflect.get(window, 'framesSent') as { count: number }).count);
    await page.getByRole('button', { name: 'Start with the screen' }).click();
    const list = page.getByRole('dialog', { name: 'Which screen?' });
    await list.getByRole('listitem').getByRole('button').first().click();
    await expect.poll(framesSent).toBeGreaterThan(0);

    // Playwright keeps pages visible, so timers are not slowed here.
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true });
    });
    await expect.poll(() => page.workers().length).toBe(1);
    const before = await framesSent();
    await expect.poll(framesSent).toBeGreaterThan(before + 2);
  });
});
