import type { Page } from '@playwright/test';
import { chatSettings } from '../../../shared/settings/assistant-settings.ts';
import { expect, test } from '../fixtures/gallery-test.ts';
import { waitUntilStable } from '../fixtures/pages/waits.ts';

const messageField = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

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
  const sorted = measured.commits.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  test.info().annotations.push({
    type: 'measured',
    description: `a piece of an answer after 400 turns: median ${median.toFixed(2)} ms`,
  });
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

test('a search result far above the newest turn is scrolled to', async ({ page, show }) => {
  await page.setViewportSize({ width: 900, height: 680 });
  await show('chat-wanted');
  // The 201st of 400 turns is at the top; earlier ones load on scrolling.
  const away = () =>
    page.evaluate(() => {
      const top = (element: Element | undefined | null) =>
        element?.getBoundingClientRect().top ?? Number.NaN;
      const wanted = [...document.querySelectorAll('.turn')].at(-200);
      return Math.abs(top(wanted) - top(document.querySelector('.turn-scroller')));
    });
  await expect.poll(away).toBeLessThan(80);
  await expect(page.getByRole('button', { name: 'Jump to newest' })).toBeVisible();
});

test('Enter sends once, never during composition, and Shift+Enter inserts a line break', async ({
  page,
  show,
  inputs,
}) => {
  await show('chat-empty');
  await messageField(page).fill('one');
  await messageField(page).press('Shift+Enter');
  await page.keyboard.type('two');
  await messageField(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true });
  await messageField(page).dispatchEvent('keydown', {
    key: 'Enter',
    isComposing: true,
    bubbles: true,
  });
  expect(await inputs('sendChat')).toEqual([]);
  await messageField(page).press('Enter');
  await messageField(page).press('Enter');
  expect(await inputs('sendChat')).toEqual([
    { parts: [{ type: 'text', text: 'one\ntwo' }], chat: 'sample' },
  ]);
  await expect(messageField(page)).toHaveValue('');
});

test('a draft survives a change of screens', async ({ page, show }) => {
  await show('chat-full');
  await messageField(page).fill('Not yet sent');
  const places = page.getByRole('navigation');
  await places.getByRole('button', { name: 'Talk' }).click();
  await expect(messageField(page)).toHaveCount(0);
  await places.getByRole('button', { name: 'Chat' }).click();
  await expect(messageField(page)).toHaveValue('Not yet sent');
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

test('a notice says when chats are not kept, and can change that', async ({
  page,
  show,
  inputs,
}) => {
  await show('chat-full');
  await expect(
    page.getByText('New chats are deleted when Parley quits; earlier ones stay as they are.'),
  ).toHaveCount(0);
  await show('chat-not-kept');
  await expect(
    page.getByText('New chats are deleted when Parley quits; earlier ones stay as they are.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Keep them' }).click();
  expect(await inputs('changeSettings')).toEqual([{ privacy: { keepChats: true } }]);
});

test('the list in a narrow window is a drawer that closes on a choice', async ({
  page,
  show,
  inputs,
}) => {
  await page.setViewportSize({ width: 380, height: 700 });
  await show('chat-full');
  const opener = page.getByRole('button', { name: 'Show chats' });
  await opener.click();
  const drawer = page.getByRole('dialog', { name: 'Chats' });
  await drawer.getByRole('button', { name: 'Verbs of motion October 7, 2025' }).click();
  await expect(drawer).toHaveCount(0);
  expect(await inputs('openChat')).toEqual([{ id: 'other2' }]);
  await opener.click();
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('options apply at once, and invalid ones are explained', async ({ page, show, inputs }) => {
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
