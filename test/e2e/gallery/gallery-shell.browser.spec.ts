import type { Page } from '@playwright/test';
import type { FrameArea } from '../../../shared/vision/vision-options.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

test('the shortcut list opens by key and by command, and returns the focus', async ({
  page,
  show,
}) => {
  await show('live-nobody');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const mute = page.getByRole('button', { name: 'Mute' });
  await mute.focus();
  for (const key of ['?', 'F1']) {
    await page.keyboard.press(key);
    await expect(list).toBeVisible();
    await expect(list.getByText('Ctrl K')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    await expect(mute).toBeFocused();
  }

  await test.step('the list and the command palette replace each other', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('shortcuts');
    await page.keyboard.press('Enter');
    await expect(list).toBeVisible();
    await expect(list.getByRole('button', { name: 'Close' })).toBeFocused();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await expect(list).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(mute).toBeFocused();
  });
});

test('Escape closes the shortcut list without interrupting', async ({ page, show, asked }) => {
  await show('live-parley');
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await asked()).toEqual([]);
});

test('a question mark typed into a field is text', async ({ page, show }) => {
  await show('chat-full');
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.focus();
  await page.keyboard.type('Why?');
  await expect(field).toHaveValue('Why?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('no shortcut list opens over a question', async ({ page, show }) => {
  for (const key of ['F1', '?']) {
    await show('settings-privacy-asked');
    await page.keyboard.press(key);
    await expect(page.getByText('Keyboard shortcuts')).toHaveCount(0);
    await expect(page.getByRole('dialog', { name: /^Delete / })).toBeVisible();
  }
});

test('the standard shortcuts open a new chat, settings, screens and search', async ({
  page,
  show,
  asked,
}) => {
  await show('idle');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('main', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('textbox', { name: 'Find a setting' })).toBeFocused();
  await page.keyboard.press('Control+3');
  await expect(page.getByRole('main', { name: 'History' })).toBeVisible();
  await page.keyboard.press('Control+n');
  await expect(page.getByRole('main', { name: 'Chat' })).toBeVisible();
  expect((await asked()).map(({ name }) => name)).toContain('beginChat');
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused();
});

const removals = [
  {
    what: 'a voice',
    state: 'settings-voices',
    rows: '.voice',
    removed: 1,
    request: 'removeVoice',
    remove: (page: Page) =>
      page.locator('.voice').first().getByRole('button', { name: 'Remove' }).click(),
  },
  {
    what: 'a message and its answer',
    state: 'chat-full',
    rows: '.turn:visible',
    removed: 2,
    request: 'removeChatTurn',
    remove: (page: Page) =>
      page.locator('.question').first().getByRole('button', { name: 'Delete' }).click(),
  },
  {
    what: 'a server',
    state: 'settings-servers',
    rows: '.server',
    removed: 1,
    request: 'removeEndpoint',
    remove: async (page: Page) => {
      await page.getByRole('button', { name: /^Edit/ }).first().click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
    },
  },
] as const;

for (const { what, state, rows, removed, request, remove } of removals)
  test(`the removal of ${what} shows at once, can be undone, and is requested once its notice is dismissed`, async ({
    page,
    show,
    inputs,
  }) => {
    await show(state);
    const shown = page.locator(rows);
    const before = await shown.count();
    await remove(page);
    await expect(shown).toHaveCount(before - removed);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(shown).toHaveCount(before);
    expect(await inputs(request)).toEqual([]);
    await remove(page);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await inputs(request)).toHaveLength(1);
  });

test('the guide opens by command, can be searched, and closes on Escape', async ({
  page,
  show,
}) => {
  await show('idle');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('manual');
  await page.keyboard.press('Enter');
  const guide = page.getByRole('dialog', { name: 'Guide' });
  await expect(guide.getByRole('heading', { name: 'Install Parley and open it' })).toBeVisible();
  await expect(guide.locator('img')).toHaveCount(16);
  await guide.getByRole('button', { name: 'If something goes wrong' }).click();
  await expect(guide.getByRole('heading', { name: 'If something goes wrong' })).toBeInViewport();
  await expect
    .poll(() =>
      guide
        .locator('img')
        .last()
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(900);
  await guide.getByLabel('Search the guide').fill('bindsym');
  await expect(guide.getByRole('heading', { level: 3 })).toHaveText(['Talk with a key']);
  expect(
    await page.evaluate(() => [...(CSS.highlights.get('guide-found') ?? [])].map(String)),
  ).toEqual(['bindsym', 'bindsym']);
  await page.keyboard.press('Escape');
  await expect(guide.getByLabel('Search the guide')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(guide).toHaveCount(0);
});

test('returning to the window shows no tooltip for the focused button', async ({ page, show }) => {
  await show('idle-used');
  const button = page.getByRole('button', { name: 'Commands' });
  const tip = page.getByRole('tooltip');
  // The events when a window comes to the front: first the window, then the focused element.
  const comeBack = () =>
    button.evaluate((element) => {
      element.blur();
      window.dispatchEvent(new FocusEvent('focus'));
      element.focus();
    });
  await page.keyboard.press('Tab');
  await button.focus();
  await expect(tip).toBeVisible();
  await comeBack();
  await expect(tip).toHaveCount(0);
  // Moving the focus by keyboard shows it again.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(tip).toBeVisible();
});

test('a part of the screen is chosen by keys or by pointer', async ({ page, show, asked }) => {
  await show('cursor-region');
  const picture = page.getByRole('group');
  const taken = async () => (await asked()).map(({ name, input }) => [name, input]);
  await expect(picture).toHaveAccessibleName('No part is chosen');

  await test.step('Enter takes nothing before a part is chosen', async () => {
    await page.keyboard.press('Enter');
    expect(await taken()).toEqual([]);
  });

  await test.step('arrows move a part, and Shift changes its size', async () => {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowUp');
    await expect(picture).toHaveAccessibleName('Part: 27 % left, 25 % top, 50 % wide, 48 % high');
    await page.keyboard.press('Enter');
    const area = { left: 0.27, top: 0.25, width: 0.5, height: 0.48 };
    expect(await taken()).toEqual([['takeRegion', { area }]]);
  });

  await test.step('releasing the pointer takes the part, and a click takes nothing', async () => {
    const box = await picture.boundingBox();
    if (box === null) throw new Error('The picture is not drawn.');
    await page.mouse.click(box.x + 10, box.y + 10);
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.25, { steps: 3 });
    await page.mouse.up();
    const requests = await taken();
    expect(requests.map(([name]) => name)).toEqual(['takeRegion', 'takeRegion']);
    const area = areaOf(requests.at(-1)?.[1]);
    expect(area.left).toBeCloseTo(0.25, 2);
    expect(area.top).toBeCloseTo(0.25, 2);
    expect(area.width).toBeCloseTo(0.5, 2);
    expect(area.height).toBeCloseTo(0.25, 2);
  });

  await test.step('Escape cancels', async () => {
    await page.keyboard.press('Escape');
    expect((await taken()).at(-1)).toEqual(['cancelRegion', undefined]);
  });
});

function areaOf(input: unknown): FrameArea {
  return (input as { readonly area: FrameArea }).area;
}
