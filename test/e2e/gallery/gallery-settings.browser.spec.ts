import type { Page } from '@playwright/test';
import type { RoomStep } from '../../../shared/audio/sound-tests.ts';
import { expect, test } from '../fixtures/gallery-test.ts';
import { openSection, row } from '../fixtures/pages/settings-screen.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('the core polls devices only while their list is visible', async ({ page, show, inputs }) => {
  const setHidden = (hidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  const watched = () => inputs('watchSoundDevices');
  await show('settings-sound');
  const [on, off] = [{ on: true }, { on: false }];
  expect(await watched()).toEqual([on]);
  await setHidden(true);
  expect(await watched()).toEqual([on, off]);
  await setHidden(false);
  await openSection(page, 'Seeing');
  expect(await watched()).toEqual([on, off, on, off]);
});

test('an open device list follows changes of the devices @nightly', async ({ page, show }) => {
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
  const garden = choices.filter({ hasText: 'Garden' });
  await page.getByRole('button', { name: /^Microphone/ }).click();
  await expect(garden).toHaveCount(0);
  await emit([device, { ...device, name: 'Garden', defaultInput: false }]);
  await expect(garden).toHaveCount(1);
  await expect(choices.first()).toHaveText('System default (Kitchen)');
  await emit([device]);
  await expect(garden).toHaveCount(0);
});

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

test('the room test runs by keyboard, moves the focus along, and stops on Escape @nightly', async ({
  page,
  show,
  asked,
}) => {
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
  await expect(button(page, 'Cancel')).toBeFocused();

  await page.keyboard.press('Escape');
  await expect(said(page)).toHaveText('Stopped. Nothing was kept.');
  await expect(button(page, 'Test this room')).toBeFocused();
  const names = (await asked()).map(({ name }) => name).filter((name) => /Room/u.test(name));
  expect(names).toEqual(['testRoom', 'speakInRoom', 'forgetRoom']);
});

test('the room test does not take the focus from another control, and during a talk it is disabled with the reason @nightly', async ({
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

  await show('settings-sound-talking');
  const offered = button(page, 'Test this room');
  await expect(offered).toHaveAttribute('aria-disabled', 'true');
  await expect(offered).toHaveAccessibleDescription(/Not during a talk\. End it first\.$/u);
  await offered.click({ force: true });
  await expect(button(page, 'Begin')).toHaveCount(0);
});

test('a new version is shown until the notice is dismissed, waits for the end of a talk, and links to a download that Parley cannot install @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('updates-told');
  const line = page.getByRole('status').filter({ hasText: 'Parley 0.2.0 is ready.' });
  await line.getByRole('button', { name: 'Dismiss' }).click();
  expect(await inputs('updateSeen')).toHaveLength(1);
  await line.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('region', { name: 'What’s new in 0.2.0' })).toBeVisible();

  await show('updates-talking');
  await expect(page.getByText('will be downloaded after your talk')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Go back to 0.0.9' })).toBeDisabled();

  await show('updates-offered');
  const region = page.getByRole('region', { name: 'Updates' });
  await page
    .context()
    .route('https://updates.example/Parley.tar.gz', (route) => route.fulfill({ body: '' }));
  const opened = page.waitForEvent('popup');
  await region.getByRole('button', { name: 'Download' }).click();
  expect((await opened).url()).toBe('https://updates.example/Parley.tar.gz');
  await show('settings-about');
  await expect(region).toHaveCount(0);
});

test('a suggestion is accepted from its notice and shown in Settings, and Dismiss hides the notice @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('memory-notice');
  const notice = page.locator('.suggestion-notice');
  await expect(notice).toContainText('I live in Oslo now.');
  await notice.getByRole('button', { name: 'Remember' }).click();
  expect(await inputs('answerSuggestion')).toMatchObject([{ id: 's1', accepted: true }]);
  await notice.getByRole('button', { name: 'Show all 2' }).click();
  const suggestions = page.getByRole('region', { name: 'Remember this?' });
  await expect(suggestions).toContainText('My son Tom plays chess.');
  await expect(notice).toBeHidden();
  await show('memory-notice');
  await page.evaluate(() => {
    const source = { kind: 'talk', id: '2026-11-27', title: 'Oslo', when: 0 } as const;
    const suggestions = [{ id: 's3', text: 'I have a boat.', source }];
    const payload = { sentences: [], tokens: 0, suggestions };
    window.gallery?.emit({ name: 'memoryChanged', payload });
  });
  await expect(notice.getByRole('button')).toHaveText(['Remember', 'Open Memory', '']);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
});

test('a passage is taken out of a quick question and of a talk @nightly', async ({
  page,
  show,
  asked,
}) => {
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

test('found tool servers are added after the user ticks them', async ({ page, show, inputs }) => {
  await show('settings-tools-found');
  const found = page.getByRole('region', { name: 'Found on this computer' });
  const add = found.getByRole('button', { name: 'Add the ticked ones' });
  await expect(add).toBeDisabled();
  await expect(found.getByRole('checkbox', { disabled: true })).toHaveCount(2);
  await found.getByRole('checkbox', { name: /calendar/u }).check();
  await add.click();
  expect(await inputs('addFoundServers')).toMatchObject([{ ids: ['f2'] }]);
});

test('a key is recorded by pressing it, and the user decides if another function has it', async ({
  page,
  show,
  asked,
}) => {
  await show('settings-keys');
  const rowWith = (text: string) => page.locator('.row').filter({ hasText: text });
  const pause = rowWith('Nothing is sent until you press it again');
  const change = pause.getByRole('button', { name: 'Change' });
  const key = pause.locator('kbd');

  await test.step('a free key is set at once', async () => {
    await change.click();
    await page.keyboard.press('F6');
    await expect(key).toHaveText('F6');
    expect(await asked()).toEqual([{ name: 'changeSettings', input: { keys: { pause: 'F6' } } }]);
  });

  await test.step('a taken key can stay where it is', async () => {
    await pause.getByRole('button', { name: 'Press the new key' }).or(change).click();
    await page.keyboard.press('Control+k');
    const conflict = pause.getByRole('alert').filter({ hasText: 'already used' });
    await expect(conflict).toContainText('Ctrl + K is already used for: Commands.');
    await pause.getByRole('button', { name: 'Keep it there' }).click();
    await expect(conflict).toHaveCount(0);
    await expect(key).toHaveText('F6');
  });

  await test.step('a taken key can move, and its owner has none', async () => {
    await change.click();
    await page.keyboard.press('Control+k');
    await pause.getByRole('button', { name: 'Use it here' }).click();
    await expect(key).toHaveText('Ctrl + K');
    await expect(rowWith('Find anything by typing').locator('kbd')).toHaveText('no key');
  });

  await test.step('an unusable key is refused in a sentence, Escape cancels, and reset restores the default', async () => {
    await change.click();
    await page.keyboard.press('ArrowUp');
    await expect(pause.getByRole('alert').first()).toContainText('moves through the window');
    await page.keyboard.press('Escape');
    await expect(key).toHaveText('Ctrl + K');
    await pause.getByRole('button', { name: 'Pause: reset' }).click();
    await expect(key).toHaveText('no key');
  });
});

test('the key of an action is refused for other functions, and an action gets no key in use @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('settings-cursor');
  const form = page.locator('.cursor-action-form');
  await page.getByRole('button', { name: 'Edit Explain' }).click();
  await form.getByRole('button', { name: 'Change' }).click();
  await page.keyboard.press('Control+k');
  await expect(form.getByRole('alert')).toHaveText('Ctrl + K is already used for: Commands.');
  await page.keyboard.press('Control+F7');
  await expect(form.getByRole('alert')).toHaveCount(0);
  await form.getByRole('button', { name: 'Save' }).click();

  const askKey = page.locator('.row').filter({ hasText: 'Opens the small window' });
  await askKey.getByRole('button', { name: 'Change' }).click();
  await page.keyboard.press('Control+F7');
  const conflict = askKey.getByRole('alert').filter({ hasText: 'already used' });
  await expect(conflict).toContainText('Ctrl + F7 is already used for: Action “Explain”.');
  await askKey.getByRole('button', { name: 'Use it here' }).click();
  await expect(askKey.locator('kbd')).toHaveText('Ctrl + F7');
  await page.getByRole('button', { name: 'Edit Explain' }).click();
  await expect(form.locator('kbd')).toHaveText('no key');
  const changes = await inputs('changeSettings');
  expect(changes.at(-1)).toMatchObject({ cursor: { askKey: 'Control+F7' } });
});

test('the global key is off by default, and refuses typing keys', async ({
  page,
  show,
  inputs,
}) => {
  await show('settings-talking');
  await page.getByRole('switch', { name: 'A key for all programs' }).click();
  const global = page.locator('.row').filter({ hasText: 'It works like the talk key' });
  await global.getByRole('button', { name: 'Change' }).click();
  await page.keyboard.press('a');
  await expect(global.getByRole('alert').first()).toContainText('is for typing');
  await page.keyboard.press('Control+F8');
  await expect(global.locator('kbd')).toHaveText('Ctrl + F8');
  expect(await inputs('changeSettings')).toEqual([
    { talking: { everywhere: true } },
    { talking: { globalKey: 'Control+F8' } },
  ]);
});

const panel = (page: Page) => page.locator('.local-model');

/** The main text and the first action of each state of the model, and the request that the action sends. */
const modelStates = [
  ['missing', '8.9 GB to download. 120 GB of the disk are free.', 'Download', 'downloadModel'],
  ['no-program', 'Parley found no llama-omni-server', 'Choose program…', 'chooseModelProgram'],
  ['too-small', 'It would be too slow here.', 'Choose folder…', 'chooseModelFolder'],
  ['downloading', '3.1 GB of 8.9 GB · 21 MB/s · 4:35 left', 'Pause', 'pauseModel'],
  ['paused', 'Paused at 3.1 GB of 8.9 GB.', 'Resume', 'downloadModel'],
  ['verifying', 'Checking the files: 5.1 GB of 8.9 GB', 'Pause', 'pauseModel'],
  ['failed', 'huggingface.co can’t be reached.', 'Resume', 'downloadModel'],
  ['foreign', 'Parley never deletes files in this folder.', 'Check the files', 'verifyModel'],
  ['foreign', 'Parley never deletes', 'Find it automatically', 'setModelProgram'],
  ['foreign', 'Parley never deletes', 'Use Parley’s folder', 'setModelFolder'],
  ['loading', 'Loading the model, about 24 s', 'Free the memory', 'unloadModel'],
  ['ready', 'Loaded and ready. Fast enough for talks.', 'Free the memory', 'unloadModel'],
  ['restarting', 'Starting again in 4 s.', 'Free the memory', 'unloadModel'],
  ['elsewhere', 'Another Parley on this computer', 'Load now', 'loadModel'],
] as const;

test('each state of the model is named, with the possible actions @nightly', async ({
  page,
  show,
  asked,
}) => {
  for (const [state, text, action, request] of modelStates) {
    await test.step(`${state}: ${action}`, async () => {
      await show(`computer-${state}`);
      await expect(panel(page)).toContainText(text);
      await button(page, action).click();
      expect((await asked()).at(-1)?.name).toBe(request);
    });
  }
});

test('the download is disabled without enough space, with the reason', async ({
  page,
  show,
  inputs,
}) => {
  await show('computer-no-room');
  const download = button(page, 'Download');
  await expect(download).toHaveAttribute('aria-disabled', 'true');
  await expect(download).toHaveAccessibleDescription(/Only 4\.2 GB are free/u);
  await download.click({ force: true });
  expect(await inputs('downloadModel')).toEqual([]);
});

test('chat while talking can be switched on with memory for two copies of the model; otherwise the panel explains why chat waits @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('computer-one-copy');
  await expect(
    page.getByText(/^Chat waits while you talk, .* too little free memory/u),
  ).toBeVisible();
  await show('computer-two-copies');
  await button(page, 'Chat while you talk If possible').click();
  await page.getByRole('menuitemradio', { name: 'Never' }).click();
  expect(await inputs('changeSettings')).toEqual([{ model: { chatWhileTalking: 'never' } }]);
});

test('the path of the model’s program is typed in a browser, and Enter sends it @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('computer-browser');
  await button(page, 'Choose program…').click();
  await page.getByRole('textbox', { name: 'Path of llama-omni-server' }).fill(' /opt/server ');
  await page.keyboard.press('Enter');
  expect(await inputs('setModelProgram')).toEqual([{ path: '/opt/server' }]);
});

test('the first steps with the model scroll as one page, and keep their button visible @nightly', async ({
  page,
  show,
}) => {
  for (const width of [420, 900]) {
    await page.setViewportSize({ width, height: 680 });
    await show('first-computer');
    const start = button(page, 'Start talking');
    await expect(start).toBeInViewport({ ratio: 1 });
    await button(page, 'Download').scrollIntoViewIfNeeded();
    await button(page, 'Download').click({ trial: true });
    await expect(start).toBeInViewport({ ratio: 1 });
    expect(await panel(page).evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  }
});

test('buttons stay in their rows in the narrowest window @nightly', async ({ page, show }) => {
  await page.setViewportSize({ width: 240, height: 680 });
  for (const state of ['settings-seeing', 'settings-memory']) {
    await show(state);
    const outside = await page
      .getByRole('main')
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons.flatMap((button) => {
          const row = button.parentElement?.getBoundingClientRect();
          const sticksOut = button.getBoundingClientRect().right > (row?.right ?? 0) + 1;
          return sticksOut ? [button.outerHTML] : [];
        }),
      );
    expect(outside).toEqual([]);
  }
});

test('words that the memory refuses stay in the field for another try, until Escape @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('settings-memory');
  const pencil = page.getByRole('button', { name: /^Edit: / }).first();
  const field = page.locator('.memory-words .words-field');
  await pencil.click();
  const before = await field.inputValue();
  await field.fill('I like tea');
  await field.press('Enter');
  await expect(page.getByText('Parley remembers this already')).toBeVisible();
  await expect(field).toHaveValue('I like tea');
  await expect(field).toBeFocused();
  await field.press('Enter');
  await expect(field).toBeFocused();
  expect(await inputs('changeSentence')).toHaveLength(2);
  await field.blur();
  await expect(field).toHaveCount(0);
  await pencil.click();
  await expect(field).toHaveValue('I like tea');
  await field.press('Escape');
  await pencil.click();
  await expect(field).toHaveValue(before);
});
