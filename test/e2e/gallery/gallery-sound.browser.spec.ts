import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/gallery-test.ts';
import type { GalleryRequest } from '../fixtures/gallery-test.ts';
import { openSection } from '../fixtures/pages/settings-screen.ts';

/** The requests that report whether the device list is visible. */
const watched = (asked: readonly GalleryRequest[]) =>
  asked.filter(({ name }) => name === 'watchSoundDevices').map(({ input }) => input);

test('the core polls devices only while their list is visible', async ({ page, show, asked }) => {
  await show('settings-sound');
  const [on, off] = [{ on: true }, { on: false }];
  expect(watched(await asked())).toEqual([on]);
  await setHidden(page, true);
  expect(watched(await asked())).toEqual([on, off]);
  await setHidden(page, false);
  expect(watched(await asked())).toEqual([on, off, on]);
  await openSection(page, 'Seeing');
  expect(watched(await asked())).toEqual([on, off, on, off]);
});

test('an open device list follows changes', async ({ page, show }) => {
  await show('settings-sound');
  const device = {
    name: 'Kitchen',
    hostApi: 'ALSA',
    inputChannels: 1,
    outputChannels: 0,
    rate: 48_000,
    defaultInput: true,
    defaultOutput: false,
  };
  const emit = (payload: readonly (typeof device)[]) =>
    page.evaluate(
      (payload) => window.gallery?.emit({ name: 'soundDevicesChanged', payload }),
      payload,
    );
  const choices = page.getByRole('menuitemradio');
  await page.getByRole('button', { name: /^Microphone/ }).click();
  const before = await choices.allTextContents();
  await emit([device, { ...device, name: 'Garden', defaultInput: false }]);
  await expect(choices.filter({ hasText: 'Garden' })).toHaveCount(1);
  await expect(choices.first()).toHaveText('System default (Kitchen)');
  expect(before.join()).not.toContain('Garden');
  await emit([device]);
  await expect(choices.filter({ hasText: 'Garden' })).toHaveCount(0);

  await show('settings-sound-none');
  const why = page.getByRole('alert').filter({ hasText: 'The sound system does not answer' });
  await expect(why).toBeVisible();
  await emit([device]);
  await expect(why).toHaveCount(0);
});

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
