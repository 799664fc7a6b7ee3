import type { Page } from '@playwright/test';
import type { RoomStep } from '../../../shared/audio/sound-tests.ts';
import { expect, test } from '../fixtures/gallery-test.ts';
import { openSection, row } from '../fixtures/pages/settings-screen.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page) => row(page, 'Your room').getByRole('status');

const emit = (page: Page, payload: RoomStep): Promise<void> =>
  page.evaluate((payload) => {
    window.gallery?.emit({ name: 'roomStep', payload });
  }, payload);

/** Starts the test by keyboard, up to the played voice. */
async function begin(page: Page): Promise<void> {
  await button(page, 'Test this room').focus();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Begin')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Cancel')).toBeFocused();
  await emit(page, { step: 'alone', ms: 7400 });
}

test('the room test runs by keyboard, moves the focus along, and stops on Escape', async ({
  page,
  show,
  asked,
}) => {
  const names = async () =>
    (await asked()).map(({ name }) => name).filter((name) => /Room/u.test(name));
  await show('settings-sound');
  await begin(page);
  await expect(said(page)).toHaveText(/^A voice is playing\./u);
  await expect(page.getByRole('progressbar', { name: 'Progress of this step' })).toBeVisible();
  await expect(button(page, 'Cancel')).toBeFocused();
  await emit(page, { step: 'ready' });
  await expect(button(page, 'I’m ready')).toBeFocused();
  await page.keyboard.press('Enter');
  await emit(page, { step: 'over', ms: 7400 });
  await expect(said(page)).toHaveText(/^Speak now/u);
  await expect(page.getByRole('meter', { name: 'Microphone level' })).toBeVisible();
  await expect(button(page, 'Cancel')).toBeFocused();
  expect(await names()).toEqual(['testRoom', 'speakInRoom']);

  await page.keyboard.press('Escape');
  await expect(said(page)).toHaveText('Stopped. Nothing was kept.');
  await expect(button(page, 'Test this room')).toBeFocused();
  expect(await names()).toEqual(['testRoom', 'speakInRoom', 'forgetRoom']);
});

test('the room test does not take the focus from another control, and Escape still stops it', async ({
  page,
  show,
}) => {
  await show('settings-sound');
  await begin(page);
  const slider = page.getByRole('slider', { name: 'Microphone volume' });
  await slider.focus();
  await emit(page, { step: 'ready' });
  await expect(button(page, 'I’m ready')).toBeVisible();
  await expect(slider).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(said(page)).toHaveText('Stopped. Nothing was kept.');
});

test('leaving the page stops the room test and forgets it', async ({ page, show, asked }) => {
  await show('settings-sound');
  await begin(page);
  await openSection(page, 'Voices');
  expect((await asked()).map(({ name }) => name)).toContain('forgetRoom');
  await openSection(page, 'Sound');
  await expect(button(page, 'Test this room')).toBeVisible();
  await expect(said(page)).toBeEmpty();
});

test('the room test is disabled during a talk, with the reason', async ({ page, show }) => {
  await show('settings-sound-talking');
  const offered = button(page, 'Test this room');
  await expect(offered).toHaveAttribute('aria-disabled', 'true');
  await expect(offered).toHaveAccessibleDescription(/Not during a talk\. End it first\.$/u);
  await offered.click({ force: true });
  await expect(button(page, 'Begin')).toHaveCount(0);
});
