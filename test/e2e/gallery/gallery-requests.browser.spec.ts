import { emptyScene } from '../../../shared/recordings/replay-view.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

type Click = readonly [
  role: 'button' | 'menuitem' | 'menuitemradio' | 'radio' | 'switch' | 'checkbox',
  name: string | RegExp,
];

/** A state, the clicks of a user, and the request that reaches the core. Unit tests hold what follows from it. */
const requests: readonly (readonly [
  state: string,
  clicks: readonly Click[],
  name: string,
  input?: Readonly<Record<string, unknown>>,
])[] = [
  // Before, in and after a talk.
  ['idle', [['button', 'Start talking']], 'startTalk', { mode: 'audio' }],
  ['ended-by-you', [['button', 'Start a new talk']], 'startTalk', { mode: 'audio' }],
  ['idle-used', [['button', /^How far a lighthouse/]], 'talkRecord', { id: 'light' }],
  ['live-more', [['button', 'Pause']], 'setPaused', { paused: true }],
  ['live-more-choices', [['radio', 'Hold Space']], 'setTalking', { mode: 'hold' }],
  ['reconnecting-after-words', [['button', 'Try now']], 'networkBack'],
  ['see-options', [['switch', 'Mirror']], 'changeSettings', { vision: { mirror: false } }],
  // History.
  [
    'history-talk',
    [['button', 'Unpin']],
    'pinHistory',
    { kind: 'talk', id: 'light', pinned: false },
  ],
  ['history-talk', [['button', 'Replay']], 'openReplay'],
  ['history-talk', [['button', 'Export…']], 'exportOffer'],
  ['compare-running', [['button', 'Stop']], 'stopRerun'],
  [
    'compare-choosing',
    [['button', 'Compare']],
    'compareTapes',
    { tape: 'light', other: 'evening' },
  ],
  // Chat.
  ['chat-not-kept', [['button', 'Keep them']], 'changeSettings', { privacy: { keepChats: true } }],
  // Settings.
  [
    'idle',
    [
      ['button', 'Appearance'],
      ['menuitemradio', 'Dark'],
    ],
    'changeSettings',
    { appearance: { theme: 'dark' } },
  ],
  [
    'settings-assistant',
    [['radio', /coach/]],
    'changeSettings',
    { assistant: { preset: 'coach' } },
  ],
  ['settings-sound', [['button', 'Run the test']], 'testSound'],
  ['settings-voices', [['button', 'Play Grandmother']], 'previewVoice'],
  ['settings-servers', [['button', 'Test connection: Workstation']], 'testEndpoint'],
  ['settings-global-key-uiohook', [['button', 'Start the test']], 'testGlobalKey'],
  ['settings-global-key-unavailable', [['button', 'Try again']], 'retryGlobalKey'],
  [
    'settings-memory-asked',
    [['button', 'No: My son Tom plays chess.']],
    'answerSuggestion',
    { id: 's2', accepted: false },
  ],
  ['settings-tools-found', [['button', 'Look for other assistants’ servers']], 'findToolServers'],
  ['updates-ready', [['button', 'Restart now']], 'switchVersion', { to: 'next' }],
  ['updates-ready', [['button', 'Go back to 0.0.9']], 'switchVersion', { to: 'previous' }],
  ['updates-ready', [['button', 'Check for updates']], 'checkForUpdates'],
];

test('each button and choice sends the request that its label promises', async ({
  page,
  show,
  asked,
}) => {
  for (const [state, clicks, name, input] of requests) {
    await test.step(`${state}: ${name}`, async () => {
      await show(state);
      for (const [role, label] of clicks)
        await page.getByRole(role, { name: label, exact: true }).first().click();
      await expect.poll(asked).toContainEqual(
        expect.objectContaining({
          name,
          ...(input && { input: expect.objectContaining(input) }),
        }),
      );
    });
  }
});

const reconnecting = {
  name: 'talkState',
  payload: {
    phase: 'reconnecting',
    attempt: 1,
    inMs: 1000,
    error: { code: 'sessionCut', facts: {} },
  },
} as const;
const live = { name: 'talkState', payload: { phase: 'live' } } as const;

test('a note about a gap in the recording says that the talk continues only while it does @nightly', async ({
  page,
  show,
}) => {
  await show('live-troubles');
  const note = page.getByText('so its recording has a gap.');
  await expect(note).toContainText('The talk continues.');
  await page.evaluate(() => {
    const error = { code: 'endedByPerson', facts: {} } as const;
    const ending = { error, by: 'client', orderly: true } as const;
    const payload = { phase: 'ended', ending, offer: 'continue' } as const;
    window.gallery?.emit({ name: 'talkState', payload });
  });
  await expect(note).not.toContainText('continues');
});

test('the microphone opens after the cough key is released, even if the talk reconnects meanwhile', async ({
  page,
  show,
  inputs,
}) => {
  await show('live-more');
  await page.getByRole('button', { name: 'Hold to mute' }).hover();
  await page.mouse.down();
  await expect.poll(() => inputs('setCoughMuted')).toEqual([{ muted: true }]);
  await page.evaluate((each) => window.gallery?.emit(each), reconnecting);
  await expect(page.locator('.more')).toHaveCount(0);
  await page.mouse.up();
  await expect.poll(() => inputs('setCoughMuted')).toEqual([{ muted: true }, { muted: false }]);
});

test('words that are being corrected are sent when the talk reconnects @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('live-own-words');
  await page.locator('.words-button').first().click();
  await page.locator('.words-field').fill('What I said');
  await page.evaluate((each) => window.gallery?.emit(each), reconnecting);
  await expect
    .poll(() => inputs('correctUserPhrase'))
    .toEqual([expect.objectContaining({ text: 'What I said' })]);
});

test('a message that is being typed stays while the talk reconnects @nightly', async ({
  page,
  show,
}) => {
  await show('live-parley');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Type a message' }).click();
  const field = page.locator('.typing .text-field');
  await field.fill('A long question');
  await page.evaluate((each) => window.gallery?.emit(each), reconnecting);
  await expect(field).toHaveCount(0);
  await page.evaluate((each) => window.gallery?.emit(each), live);
  await expect(field).toHaveValue('A long question');
});

test('a recording that is opened in place of another recording shows its own pictures and events @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('replay-pictures');
  const read = () => inputs('replayPicture');
  await expect.poll(read).toEqual([{ picture: 4 }]);
  await page.keyboard.press('Control+i');
  await expect(page.locator('.inspector')).toBeVisible();
  const events = page.locator('.inspector .frame');
  await page.evaluate(() => {
    const frame = { at: 1, connection: 1, mode: 'video', direction: 'in', length: 2 } as const;
    const payload = { frames: [{ ...frame, text: '{}' }], missed: 0 };
    window.gallery?.emit({ name: 'replayWire', payload });
  });
  await expect(events).toHaveCount(1);
  const opened = {
    kind: 'open',
    origin: { kind: 'example', example: 'video' },
    facts: { mode: 'video', endpoint: 'embedded', recordedAt: '2026-10-03T14:02:11Z', cut: false },
    play: { at: 0, playing: false, speed: 1, sound: 'heard' },
    scene: { ...emptyScene, picture: 4 },
  } as const;
  // Both arrive before the page draws.
  await page.evaluate((replay) => {
    const { origin } = replay;
    const ribbon = { everyMs: 50, you: new Uint8Array(0), parley: new Uint8Array(0) };
    const timeline = { lengthMs: 1000, readyMs: 1000, turns: [], marks: [], ribbon };
    window.gallery?.emit({ name: 'replayChanged', payload: { kind: 'opening', origin } });
    window.gallery?.emit({ name: 'replayChanged', payload: { ...replay, timeline } });
  }, opened);
  await expect.poll(read).toEqual([{ picture: 4 }, { picture: 4 }]);
  await expect(events).toHaveCount(0);
});

test('a double click on the decision about a tool call decides once', async ({
  page,
  show,
  inputs,
}) => {
  await show('chat-tool-question');
  // Clicks right after the question appeared are ignored.
  await expect(async () => {
    await page.getByRole('button', { name: 'Allow once' }).dblclick();
    expect(await inputs('decideChatCall')).not.toEqual([]);
  }).toPass();
  expect(await inputs('decideChatCall')).toHaveLength(1);
});

test('text that a message can hold is pasted as text, although a spreadsheet adds its picture @nightly', async ({
  page,
  show,
}) => {
  await show('chat-empty');
  const isLeftToBrowser = (texts: Readonly<Record<string, string>>, name = 'Message') =>
    page.getByRole('textbox', { name, exact: true }).evaluate((field, texts) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['1'], 'table.png', { type: 'image/png' }));
      for (const [type, text] of Object.entries(texts)) clipboardData.setData(type, text);
      return field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }),
      );
    }, texts);
  expect(await isLeftToBrowser({ 'text/plain': '1\t2', 'text/html': '<table></table>' })).toBe(
    true,
  );
  // A browser copies a picture with HTML, and a file manager copies a file with its path.
  expect(await isLeftToBrowser({ 'text/html': '<img>' })).toBe(false);
  expect(await isLeftToBrowser({ 'text/plain': '/home/ann/table.png' })).toBe(false);
  const longest = { 'text/plain': 'x'.repeat(1_000_000), 'text/html': '<p>' };
  expect(await isLeftToBrowser(longest)).toBe(false);
  await expect(page.getByText('This message is too long. Send it in parts.')).toBeVisible();
  await show('chat-editing');
  expect(await isLeftToBrowser(longest, 'Edit this message')).toBe(false);
});

for (const [state, name, note] of [
  ['chat-empty', 'Message', 'This message is too long. Send it in parts.'],
  ['cursor-offers', 'Ask Parley', 'This is too long for a quick question. Ask it in Chat.'],
] as const)
  test(`a text that is too long is not dropped into the field, in ${state} @nightly`, async ({
    page,
    show,
  }) => {
    await show(state);
    const isTaken = await page.getByRole('textbox', { name, exact: true }).evaluate((field) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/plain', 'x'.repeat(1_000_000));
      const init = { dataTransfer, cancelable: true, bubbles: true };
      return field.dispatchEvent(new DragEvent('drop', init));
    });
    expect(isTaken).toBe(false);
    await expect(page.getByText(note)).toBeVisible();
  });

test('a link that was opened over the list of keys returns the focus into the list @nightly', async ({
  page,
  show,
}) => {
  await show('live-parley');
  await page.keyboard.press('?');
  const close = page.getByRole('button', { name: 'Close' });
  await expect(close).toBeFocused();
  const openLink = (isOpen: boolean) =>
    page.evaluate((opens) => {
      const payload = opens ? ({ kind: 'start', preset: undefined } as const) : undefined;
      window.gallery?.emit({ name: 'linkChanged', payload });
    }, isOpen);
  await openLink(true);
  await expect(page.getByRole('button', { name: 'Not now' })).toBeFocused();
  await openLink(false);
  await expect(close).toBeFocused();
});

test('the only sentence is deleted at once, keeps the keyboard from Undo, and returns by it @nightly', async ({
  page,
  show,
  inputs,
}) => {
  const remember = (...texts: string[]): Promise<void> =>
    page.evaluate((remembered) => {
      const source = { kind: 'person', when: 0 } as const;
      const sentences = remembered.map((text) => ({
        id: 'a',
        text,
        source,
        on: true,
        changedAt: 0,
      }));
      const payload = { sentences, tokens: 3, suggestions: [] };
      window.gallery?.emit({ name: 'memoryChanged', payload });
    }, texts);
  await show('settings-memory');
  await remember('I like tea');
  await page.getByRole('button', { name: 'Delete: I like tea' }).press('Enter');
  expect(await inputs('removeSentence')).toEqual([{ id: 'a' }]);
  await remember();
  await expect(page.locator('.undo-bar')).toBeVisible();
  await expect(page.locator('.undo-bar :focus')).toHaveCount(0);
  await expect(page.locator('body')).not.toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await inputs('restoreSentence')).toEqual([{ id: 'a' }]);
});

test('words that are typed while a sentence is added to the memory stay @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('settings-memory');
  const field = page.locator('.memory-write input');
  const written = (): Promise<void> =>
    page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
  await field.fill('I like tea');
  await field.press('Enter');
  await field.fill('I like tea and milk');
  await written();
  expect(await inputs('addSentence')).toEqual([{ text: 'I like tea' }]);
  await expect(field).toHaveValue('I like tea and milk');
  await field.press('Enter');
  await expect(field).toHaveValue('');
});

test('the keyboard stays at the button after stored data is deleted @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('settings-privacy');
  const remove = page.locator('.stored-data-row .button').first();
  await remove.press('Enter');
  await page.getByRole('button', { name: 'Delete permanently' }).press('Enter');
  await expect(remove).toBeFocused();
  await expect(remove).toBeDisabled();
  await remove.press('Enter');
  await expect(page.getByRole('button', { name: 'Delete permanently' })).toHaveCount(0);
  expect(await inputs('deleteStoredData')).toEqual([{ kind: 'chats' }]);
});

test('the first steps go on where they were after a visit to Settings @nightly', async ({
  page,
  show,
}) => {
  await show('first-microphone');
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Can it hear you?');
  await page.keyboard.press('Control+Comma');
  await expect(title).not.toHaveText('Can it hear you?');
  await page.getByRole('navigation').getByText('Talk', { exact: true }).first().click();
  await expect(title).toHaveText('Can it hear you?');
});

test('all keys are reset, and Undo brings them back @nightly', async ({ page, show }) => {
  await show('settings-keys');
  const pause = page
    .locator('.row')
    .filter({ hasText: 'Nothing is sent until you press it again' });
  await pause.getByRole('button', { name: 'Change' }).click();
  await page.keyboard.press('F6');
  await page.getByRole('button', { name: 'Reset all keys' }).press('Enter');
  await expect(page.locator('.undo-bar')).toContainText('All keys were reset.');
  await expect(pause.locator('kbd')).toHaveText('no key');
  await expect(page.locator('body')).not.toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(pause.locator('kbd')).toHaveText('F6');
});

test('the number of results leaves out those that were just deleted @nightly', async ({
  page,
  show,
}) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-found');
  const more = page.getByRole('button', { name: /^More about/ });
  const count = page.locator('.history-count');
  await expect(more.first()).toBeVisible();
  for (let left = await more.count(); left > 0; left -= 1) {
    await expect(count).toHaveText(`${left} found`);
    await more.first().click();
    await page
      .getByRole('menuitem', { name: /^Delete/ })
      .last()
      .click();
    await expect(more).toHaveCount(left - 1);
  }
  await expect(page.getByText('No results')).toBeVisible();
  await expect(count).toBeEmpty();
});

test('“Type a message” in More focuses the field, also if the field is open @nightly', async ({
  page,
  show,
}) => {
  await show('live-parley');
  const field = page.locator('.typing .text-field');
  for (const _ of ['closed', 'open']) {
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Type a message' }).press('Enter');
    await expect(page.locator('.more')).toHaveCount(0);
    await expect(field).toBeFocused();
  }
});

test('the list of History stays where it was while a talk is open @nightly', async ({
  page,
  show,
}) => {
  await page.setViewportSize({ width: 480, height: 680 });
  await show('history-list');
  const row = page.locator('[data-index="42"] .history-open');
  await page.locator('.history-rows').evaluate((list) => {
    list.scrollTop = list.scrollHeight;
  });
  await expect(row).toBeAttached();
  await row.scrollIntoViewIfNeeded();
  await row.click();
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(row).toBeInViewport();
});
