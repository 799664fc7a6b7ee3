import { chatSettings } from '../../../shared/settings/assistant-settings.ts';
import { expect, test } from '../fixtures/gallery-test.ts';
import { waitUntilStable } from '../fixtures/pages/page-checks.ts';

test('a delta renders only its own turn, after 400 turns', async ({ page, show }) => {
  await page.setViewportSize({ width: 900, height: 680 });
  await show('chat-long');
  const measured = await page.evaluate(async () => {
    const gallery = window.gallery;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const turn = 'streamed';
    gallery?.emit({
      name: 'chatPatch',
      payload: {
        kind: 'added',
        turn: {
          role: 'assistant',
          id: turn,
          at: 0,
          text: '',
          state: { kind: 'streaming' },
          speechSeconds: 0,
        },
      },
    });
    for (let count = 0; count < 20; count += 1) await frame();
    gallery?.commits();
    const changed = new Set<Element>();
    const said = new Set<string>();
    const watcher = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const place = element?.closest('.turn, [data-log="chat"]');
        if (place?.matches('.turn') === true) changed.add(place);
        else if (place !== null && place !== undefined) said.add(place.textContent);
      }
    });
    watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
    const piece = 'some more words ';
    for (let count = 0; count < 60; count += 1) {
      const from = count * piece.length;
      gallery?.emit({ name: 'chatPatch', payload: { kind: 'text', turn, from, text: piece } });
      await frame();
    }
    const commits = gallery?.commits() ?? [];
    const state = { kind: 'done', cutShort: false } as const;
    gallery?.emit({ name: 'chatPatch', payload: { kind: 'answer', turn, state } });
    await frame();
    await frame();
    watcher.disconnect();
    const scroller = document.querySelector('.turn-scroller');
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = scroller ?? {};
    return {
      changed: changed.size,
      said: said.size,
      commits,
      turns: document.querySelectorAll('.turn').length,
      away: scrollHeight - scrollTop - clientHeight,
    };
  });
  expect(measured.changed, 'turns that changed').toBe(1);
  expect(measured.said, 'announcements: the answer, once').toBe(1);
  expect(measured.turns, 'turns in the page').toBeLessThan(50);
  expect(measured.away, 'the newest words are in sight').toBeLessThan(2);
  const median = measured.commits.toSorted((a, b) => a - b)[measured.commits.length >> 1] ?? NaN;
  const description = `a piece of an answer after 400 turns: median ${median.toFixed(2)} ms`;
  test.info().annotations.push({ type: 'measured', description });
  expect(measured.commits.length).toBeLessThan(64);
  expect(median).toBeLessThan(4);
});

test('a reader who scrolled up stays there, loads older turns, and can return to the newest', async ({
  page,
  show,
}) => {
  await show('chat-long');
  const turns = page.locator('.turn');
  const before = await turns.count();
  const scroller = page.getByRole('region', { name: 'Messages' });
  await scroller.hover();
  await page.mouse.wheel(0, -600);
  const back = page.getByRole('button', { name: 'Jump to newest' });
  await expect(back).toBeVisible();
  const scrolled = () => scroller.evaluate(({ scrollTop }) => scrollTop);
  await waitUntilStable(scrolled);
  const top = await scrolled();
  await page.evaluate(() => {
    window.gallery?.emit({
      name: 'chatPatch',
      payload: { kind: 'rewritten', turn: 'a299', text: 'Longer than it was. '.repeat(100) },
    });
  });
  await expect(scroller).toContainText('Longer than it was.');
  expect(Math.abs((await scrolled()) - top)).toBeLessThan(200);
  await expect(back).toBeVisible();
  await scroller.evaluate((element) => {
    element.scrollTop = 100;
  });
  await expect.poll(() => turns.count()).toBeGreaterThan(before);
  await back.click();
  await expect(back).toHaveCount(0);
});

test('a reader who jumps to the start again and again reaches the first of 400 turns', async ({
  page,
  show,
}) => {
  await show('chat-long');
  const turns = page.locator('.turn');
  const scroller = page.getByRole('region', { name: 'Messages' });
  for (let most = 40; most < 400; most += 20) {
    await scroller.evaluate((element) => {
      element.scrollTop = 0;
    });
    await expect.poll(() => turns.count()).toBeGreaterThanOrEqual(most);
  }
  await expect(turns).toHaveCount(400);
});

test('the conversation scrolls to a search result far above the newest turn, without the turns between', async ({
  page,
  show,
}) => {
  await page.setViewportSize({ width: 900, height: 680 });
  await show('chat-wanted');
  const turns = page.locator('.turn');
  const text = 'The answer to the wanted question.';
  await page.evaluate((text) => {
    const payload = { kind: 'rewritten', turn: 'a150', text } as const;
    window.gallery?.emit({ name: 'chatPatch', payload });
  }, text);
  const away = () =>
    page.evaluate((text) => {
      const top = (element: Element | undefined | null) =>
        element?.getBoundingClientRect().top ?? Number.NaN;
      const all = [...document.querySelectorAll('.turn')];
      const wanted = all[all.findIndex(({ textContent }) => textContent.includes(text)) - 1];
      return Math.abs(top(wanted) - top(document.querySelector('.turn-scroller')));
    }, text);
  await expect.poll(away).toBeLessThan(80);
  const back = page.getByRole('button', { name: 'Jump to newest' });
  await expect(back).toBeVisible();
  await waitUntilStable(() => turns.count());
  expect(await turns.count(), 'turns in the page').toBeLessThan(120);
  await expect.poll(away, 'turns were added around it').toBeLessThan(80);

  const scroller = page.getByRole('region', { name: 'Messages' });
  await scroller.press('End');
  await expect(back).toHaveCount(0);
  const left = () =>
    scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await expect.poll(left, 'the newest words are in sight').toBeLessThan(2);
  await waitUntilStable(() => turns.count());
  expect(await left(), 'they stay there').toBeLessThan(2);
  await scroller.press('Home');
  await expect(back).toBeVisible();
  await waitUntilStable(() => turns.count());
  const start = () => scroller.evaluate(({ scrollTop }) => scrollTop);
  expect(await start()).toBeLessThan(10);
  expect(await turns.count(), 'turns in the page').toBeLessThan(120);

  await turns.first().getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(turns.first()).toBeHidden();
  await back.press('Enter');
  await expect(back).toHaveCount(0);
  await expect(scroller, 'a second Enter does nothing').toBeFocused();
  await scroller.press('Home');
  await expect(back).toBeVisible();
  await waitUntilStable(() => turns.count());
  expect(await start(), 'the first message is removed').toBeLessThan(10);
  await page.evaluate(() => {
    window.gallery?.emit({
      name: 'chatPatch',
      payload: {
        kind: 'added',
        turn: { role: 'user', id: 'new', at: 0, parts: [{ type: 'text', text: 'New.' }] },
      },
    });
  });
  await expect(page.getByText('New.', { exact: true })).toBeInViewport();
  await expect(back).toHaveCount(0);
});

test('a link shows its host and opens outside, and code can be copied', async ({ page, show }) => {
  await page.context().grantPermissions(['clipboard-write', 'clipboard-read']);
  await show('chat-full');
  await page.evaluate(() => {
    window.open = (address) => {
      document.body.dataset['opened'] = String(address);
      return null;
    };
  });
  await page.getByRole('link', { name: 'the list of lights (lights.example)' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-opened', 'https://lights.example/list');
  await page.locator('.markdown-code').getByRole('button', { name: 'Copy' }).click();
  await expect(page.locator('.markdown-code').getByRole('button')).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('def reach');
});

test('chat options apply at once, and invalid values are explained', async ({
  page,
  show,
  inputs,
}) => {
  await page.setViewportSize({ width: 900, height: 680 });
  await show('chat-options');
  await page.getByRole('switch', { name: 'Think first' }).click();
  const length = page.getByRole('textbox', { name: 'Maximum answer length' });
  await length.fill('9000');
  await expect(page.getByText('From 1 to 8192.')).toBeVisible();
  await length.fill('512');
  const usual = { ...chatSettings.initial, voice: 'none' };
  const set = () => inputs('setChatOptions');
  await expect.poll(set).toEqual([
    { ...usual, thinking: true },
    { ...usual, thinking: true, maxNewTokens: 512 },
  ]);
  // The core echoes each keystroke.
  await length.clear();
  await length.pressSequentially('2048');
  await expect.poll(async () => (await set()).at(-1)).toMatchObject({ maxNewTokens: 2048 });
  await expect(length).toHaveValue('2048');
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  expect(await inputs('resetSettings')).toEqual([{ group: 'chat' }]);
  await page.getByRole('textbox', { name: 'What Parley should know' }).fill('Be brief.');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await set()).at(-1)).toMatchObject({ system: 'Be brief.' });
});

test('the keyboard alone searches, walks the list and opens a talk', async ({
  page,
  show,
  inputs,
}) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-list');
  await page.keyboard.press('/');
  const field = page.getByRole('textbox', { name: 'Search' });
  await expect(field).toBeFocused();
  // A slash in the field is text.
  await page.keyboard.type('a/b');
  await expect(field).toHaveValue('a/b');
  await expect
    .poll(async () => (await inputs('searchHistory')).at(-1))
    .toEqual({ skip: 0, count: 200, filter: {}, query: 'a/b' });
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await page.keyboard.press('ArrowDown');
  const focused = page.locator('.history-open:focus');
  await expect(focused).toContainText('A keeper trims');
  await page.keyboard.press('ArrowDown');
  await expect(focused).toContainText('How far a lighthouse');
  await page.keyboard.press('End');
  await expect(page.locator('[data-index="45"] .history-open')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => inputs('talkRecord')).toEqual([{ id: 'light' }]);
  await page.keyboard.press('Control+f');
  await expect(field).toBeFocused();
});

test('Undo restores a deleted talk, and its recording goes along unless the user keeps it', async ({
  page,
  show,
  inputs,
}) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-list');
  // Other rows have the same title.
  const row = page
    .locator('.entry-row')
    .filter({ hasText: 'How far a lighthouse can be seen' })
    .filter({ hasText: '4 min' })
    .filter({ hasText: 'Pinned' });
  const bar = page.locator('.undo');
  await row.locator('.history-open').focus();
  await page.keyboard.press('Delete');
  await expect(row).toHaveCount(0);
  await expect(bar).toContainText(
    '“How far a lighthouse can be seen” and its recording were deleted.',
  );
  await bar.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toHaveCount(1);
  expect(await inputs('removeHistory')).toEqual([]);

  await row.getByRole('button', { name: /^More about/ }).click();
  await page.getByRole('menuitem', { name: 'Delete the text only' }).click();
  await expect(bar).toContainText('“How far a lighthouse can be seen” was deleted.');
  await bar.getByRole('button', { name: 'Dismiss' }).click();
  expect(await inputs('removeHistory')).toEqual([
    { list: [{ kind: 'talk', id: 'light' }], tapes: false },
  ]);
});

test('the keyboard stays in its place after a deletion in History and after its Undo', async ({
  page,
  show,
}) => {
  await show('history-list');
  const rows = page.locator('.history-open');
  // The first talk is running, so it cannot be deleted.
  const row = rows.nth(1);
  const [, second = '', third = ''] = await rows.allTextContents();
  await row.focus();
  await page.keyboard.down('Delete');
  await expect(row).toHaveText(third);
  await expect(row).toBeFocused();
  // A held key repeats, and deletes no other talk.
  await page.keyboard.down('Delete');
  await page.keyboard.up('Delete');
  await expect(row).toHaveText(third);
  // A key that is held down later passes the row.
  await rows.first().focus();
  await page.keyboard.down('ArrowDown');
  await page.keyboard.down('ArrowDown');
  await expect(rows.nth(2)).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(row).toHaveText(second);
  await expect(page.locator('body')).not.toBeFocused();
});

test('the keyboard stays in its place after a recording, a tool’s question, a deleted message and a note', async ({
  page,
  show,
}) => {
  await show('chat-recording');
  await page.getByRole('button', { name: 'Discard the recording' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Attach a picture or a sound' })).toBeFocused();
  await page.getByRole('button', { name: 'Record a sound' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Discard the recording' })).toBeFocused();

  await show('chat-tool-question');
  await page.getByRole('button', { name: 'Allow once' }).focus();
  await page.evaluate(() => {
    const call = {
      id: 'c1',
      at: 0,
      callName: 'set_reminder',
      tool: 'set_reminder',
      server: '',
      args: '{}',
      state: 'done',
      isRisky: false,
      response: '',
    } as const;
    window.gallery?.emit({ name: 'chatPatch', payload: { kind: 'call', turn: 't2', call } });
  });
  await expect(page.locator('.tool-call summary')).toBeFocused();

  await show('chat-full');
  await page.locator('.answer').first().getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.locator('.turns :focus')).toHaveCount(1);

  await show('live-warning');
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0);
  await expect(page.locator('.dock :focus')).toHaveCount(1);
});

test('several selected talks are deleted together', async ({ page, show, inputs }) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-choosing');
  const bar = page.getByRole('region', { name: 'Selected' });
  await expect(bar).toContainText('2 selected');
  await page.getByRole('checkbox', { name: 'Vegetables' }).click();
  await page.getByRole('checkbox', { name: 'Verbs' }).click();
  await expect(bar).toContainText('2 selected');
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect(page.locator('.undo')).toContainText('Deleted with their recordings: 2.');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await inputs('removeHistory')).toEqual([
    {
      list: [
        { kind: 'talk', id: 'light' },
        { kind: 'talk', id: 'market' },
      ],
      tapes: true,
    },
  ]);
  await expect(bar).toHaveCount(0);
});

test('a picture is shown at its time and enlarged by a click, and a narrow window shows the talk instead of the list', async ({
  page,
  show,
}) => {
  await page.setViewportSize({ width: 1200, height: 900 });
  await show('history-talk');
  await page.getByRole('button', { name: 'What Parley saw at 1:02' }).click();
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByRole('img')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);

  await page.setViewportSize({ width: 380, height: 700 });
  const search = page.getByRole('textbox', { name: 'Search' });
  await expect(search).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(search).toBeVisible();
});

for (const [state, label] of [
  ['history-found', 'Search'],
  ['chat-found', 'Search chats'],
  ['settings-search', 'Find a setting'],
] as const) {
  test(`a button and Escape clear a search and keep its focus: ${state}`, async ({
    page,
    show,
  }) => {
    await page.setViewportSize({ width: 1200, height: 680 });
    await show(state);
    const field = page.getByRole('search').getByRole('textbox', { name: label });
    await expect(field).not.toHaveValue('');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(field).toHaveValue('');
    await expect(field).toBeFocused();
    await page.keyboard.type('more');
    // During composition Escape belongs to the input method.
    await field.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    await expect(field).toHaveValue('more');
    await page.keyboard.press('Escape');
    await expect(field).toHaveValue('');
    await expect(field).toBeFocused();
  });
}
