import type { Page } from '@playwright/test';
import type { RoomStep } from '../../../shared/audio/sound-tests.ts';
import { expect, test } from '../fixtures/gallery-test.ts';
import { openSection, row } from '../fixtures/pages/settings-screen.ts';

test('the core polls devices only while their list is visible', async ({ page, show, inputs }) => {
  await show('settings-sound');
  const [on, off] = [{ on: true }, { on: false }];
  expect(await inputs('watchSoundDevices')).toEqual([on]);
  await setHidden(page, true);
  expect(await inputs('watchSoundDevices')).toEqual([on, off]);
  await setHidden(page, false);
  expect(await inputs('watchSoundDevices')).toEqual([on, off, on]);
  await openSection(page, 'Seeing');
  expect(await inputs('watchSoundDevices')).toEqual([on, off, on, off]);
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

test('every step of the picture budget shows its minutes and is stored', async ({
  page,
  show,
  inputs,
}) => {
  await show('settings-seeing-long');
  const slider = page.getByRole('slider', { name: 'Memory for pictures' });
  const steps: (string | null)[] = [await slider.getAttribute('aria-valuetext')];
  await slider.focus();
  for (let step = 1; step < 5; step += 1) {
    await slider.press('ArrowRight');
    steps.push(await slider.getAttribute('aria-valuetext'));
  }
  // The first two last for the whole session.
  const minutes = ['5', '5', '3.8', '2.5', '1.5'];
  expect(steps).toEqual(minutes.map((each) => `about ${each} min`));
  await slider.press('Tab');
  await expect
    .poll(async () => (await inputs('changeSettings')).at(-1))
    .toEqual({ vision: { budget: 5 } });
});

test('the settings say that a legacy server gets every picture', async ({ page, show }) => {
  await show('settings-seeing-every-append');
  const note = page.locator('.budget-note');
  await expect(note).toContainText('Workstation gets a picture with every step of sound.');
  await expect(note).toContainText('nothing can be saved');
});

test('dismissing the notice of a new version marks it as seen, and Show leads to the release notes', async ({
  page,
  show,
  inputs,
}) => {
  await show('updates-told');
  const line = page.getByRole('status').filter({ hasText: 'Parley 0.2.0 is ready.' });
  await expect(line).toBeVisible();
  await line.getByRole('button', { name: 'Dismiss' }).click();
  expect(await inputs('updateSeen')).toHaveLength(1);
  await line.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('region', { name: 'What’s new in 0.2.0' })).toBeVisible();
});

test('the buttons ask for the new or the previous version, and wait for the end of a talk', async ({
  page,
  show,
  asked,
}) => {
  await show('updates-ready');
  await page.getByRole('button', { name: 'Restart now' }).click();
  await page.getByRole('button', { name: 'Go back to 0.0.9' }).click();
  await page.getByRole('button', { name: 'Check for updates' }).click();
  expect((await asked()).filter(({ name }) => /version|update/i.test(name))).toEqual([
    { name: 'switchVersion', input: { to: 'next' } },
    { name: 'switchVersion', input: { to: 'previous' } },
    { name: 'checkForUpdates' },
  ]);
  await show('updates-talking');
  await expect(page.getByText('will be downloaded after your talk')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Go back to 0.0.9' })).toBeDisabled();
  await expect(page.getByText('Parley can restart when your talk is over.')).toBeVisible();
});

test('Parley links to a download it cannot install, and shows nothing where updates are off', async ({
  page,
  show,
}) => {
  await show('updates-offered');
  const region = page.getByRole('region', { name: 'Updates' });
  await expect(region).toContainText('Download it, and replace this version with it.');
  await page.context().route('https://updates.example/**', (route) => route.fulfill({ body: '' }));
  const opened = page.waitForEvent('popup');
  await region.getByRole('button', { name: 'Download' }).click();
  expect((await opened).url()).toBe('https://updates.example/Parley.tar.gz');
  await show('updates-by-system');
  await expect(region.getByRole('button')).toHaveCount(0);
  await show('settings-about');
  await expect(region).toHaveCount(0);
});

test('a suggestion is accepted from its notice, shown in Settings, and dismissed until the next', async ({
  page,
  show,
  asked,
}) => {
  const answered = async () => (await asked()).filter(({ name }) => name === 'answerSuggestion');
  await show('memory-notice');
  const notice = page.locator('.suggestion-notice');
  await expect(notice).toContainText('I live in Oslo now.');
  await notice.getByRole('button', { name: 'Remember' }).click();
  expect(await answered()).toMatchObject([{ input: { id: 's1', accepted: true } }]);
  await notice.getByRole('button', { name: 'Show all 2' }).click();
  const suggestions = page.getByRole('region', { name: 'Remember this?' });
  await expect(suggestions).toContainText('My son Tom plays chess.');
  await expect(notice).toBeHidden();

  await show('memory-notice');
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
});

test('a suggestion is rejected in Settings', async ({ page, show, asked }) => {
  await show('settings-memory-asked');
  await page.getByRole('button', { name: 'No: My son Tom plays chess.' }).click();
  const rejected = { name: 'answerSuggestion', input: { id: 's2', accepted: false } };
  expect((await asked()).at(-1)).toMatchObject(rejected);
});

test('a passage is taken out of a quick question and of a talk', async ({ page, show, asked }) => {
  const last = async () => (await asked()).at(-1);
  await show('cursor-past');
  const [draft, sent] = [page.locator('.cursor-field'), page.getByRole('log')];
  await draft.getByRole('button', { name: /^Don’t use/u }).click();
  await expect(draft.getByRole('button', { name: /^Don’t use/u })).toBeHidden();
  await sent.getByRole('button', { name: /^Don’t use/u }).click();
  expect(await last()).toMatchObject({ name: 'forgetQuickPassage', input: { turn: 'q' } });
  await show('talk-past');
  await page.getByRole('button', { name: 'Don’t use “The lighthouse”' }).click();
  const place = { kind: 'talk', id: '2026-11-21' };
  expect(await last()).toMatchObject({ name: 'leaveOutTalkPassage', input: { place } });
});

test('found tool servers are added once they are ticked', async ({ page, show, asked }) => {
  await show('settings-tools-found');
  const found = page.getByRole('region', { name: 'Found on this computer' });
  const add = found.getByRole('button', { name: 'Add the ticked ones' });
  await expect(add).toBeDisabled();
  await expect(found.getByRole('checkbox', { disabled: true })).toHaveCount(2);
  await found.getByRole('checkbox', { name: /calendar/u }).check();
  await add.click();
  const added = (await asked()).filter(({ name }) => name === 'addFoundServers');
  expect(added).toMatchObject([{ input: { ids: ['f2'] } }]);
  await page.getByRole('button', { name: 'Look for other assistants’ servers' }).click();
  expect((await asked()).at(-1)).toMatchObject({ name: 'findToolServers' });
});
