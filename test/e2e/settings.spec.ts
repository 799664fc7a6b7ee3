import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/host-test.ts';
import { overflowOf } from './fixtures/pages/page-checks.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
import { closedPort } from './fixtures/servers.ts';

const theme = () => document.documentElement.dataset['theme'];

const textSize = () => getComputedStyle(document.documentElement).fontSize;

test('settings apply at once and survive a restart', async ({ start, home }) => {
  const { page } = await start();
  await openSection(page, 'Assistant');
  await page.getByRole('textbox', { name: 'Your own instructions' }).fill('Speak like a pilot.');
  const stored = () => readFile(join(home, 'state/settings.json'), 'utf8');
  await openSection(page, 'At the cursor');
  const words = page.getByRole('textbox', { name: 'Your own words' });
  await words.pressSequentially('Anna\n');
  await expect.poll(stored).toContain('"Anna"');
  await words.pressSequentially('Bert');
  await expect(words).toHaveValue('Anna\nBert');
  await page.getByRole('textbox', { name: 'Find a setting' }).fill('帧率');
  await page.getByRole('button', { name: /^Pictures per second/ }).click();
  await expect(page.getByRole('slider', { name: 'Pictures per second' })).toBeFocused();
  await openSection(page, 'Privacy');
  await page.getByRole('switch', { name: 'Record talks' }).click();
  await openSection(page, 'Appearance');
  await page.getByRole('radio', { name: 'Dark' }).click();
  await expect.poll(() => page.evaluate(theme)).toBe('dark');
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect.poll(() => page.evaluate(textSize)).toBe('17.6px');
  await page.getByRole('radio', { name: '中文' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('外观');

  const again = (await start()).page;
  await openSection(again, '助手');
  expect(await again.evaluate(theme)).toBe('dark');
  expect(await again.evaluate(textSize)).toBe('17.6px');
  await expect(again.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(again.getByRole('textbox', { name: '你自己的指令' })).toHaveValue(
    'Speak like a pilot.',
  );
  await openSection(again, '隐私');
  await expect(again.getByRole('switch', { name: '录制通话' })).toBeChecked();
  expect(await stored()).toContain('"keepTapes": true');
});

test('the first painted frame has the chosen theme @nightly', async ({ start }) => {
  const { page } = await start();
  await page.emulateMedia({ colorScheme: 'light' });
  await openSection(page, 'Appearance');
  await page.getByRole('radio', { name: 'Dark' }).click();
  await expect.poll(() => page.evaluate(theme)).toBe('dark');
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (document.documentElement?.dataset['theme'] === undefined) return;
      performance.mark('theme');
      watch.disconnect();
    });
    watch.observe(document, { subtree: true, childList: true, attributes: true });
  });
  await page.reload();
  const [put, painted] = await page.evaluate(async () => {
    const firstPaint = () => performance.getEntriesByName('first-paint')[0]?.startTime;
    while (firstPaint() === undefined) await new Promise(requestAnimationFrame);
    return [performance.getEntriesByName('theme')[0]?.startTime, firstPaint()];
  });
  expect(put).toBeLessThan(painted ?? 0);
});

test('text typed right before a reload is saved @nightly', async ({ start }) => {
  const { page } = await start();
  await openSection(page, 'Assistant');
  const instructions = page.getByRole('textbox', { name: 'Your own instructions' });
  const loaded = page.waitForEvent('load');
  await instructions.evaluate((field) => {
    if (field instanceof HTMLElement) field.focus();
    document.execCommand('insertText', false, 'Be brief.');
    location.reload();
  });
  await loaded;
  await expect(instructions).toHaveValue('Be brief.');
});

test('unreadable settings are reported @nightly', async ({ start, home }) => {
  await mkdir(join(home, 'state'));
  await writeFile(join(home, 'state/settings.json'), '{ "appearance": { "theme": "pink"');
  const { page } = await start();
  await openSection(page, 'Appearance');
  await expect(page.getByRole('alert').filter({ hasText: /could not be read/ })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 600 });
  expect(await overflowOf(page)).toBe(0);
  // The sections are in a menu now.
  await openSection(page, 'Privacy');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy');
});

/** English words that no Chinese sentence contains. */
const english = /\b(?:the|is|not|and|of)\b/i;

test.describe('in Chinese', () => {
  test.use({ language: 'zh-CN' });

  test('refusals of the core are in the page’s language @page', async ({ page }) => {
    const port = await closedPort();
    await openSection(page, '服务器');
    await page.getByRole('button', { name: '添加服务器' }).click();
    const form = page.getByRole('form', { name: '新服务器' });
    const address = form.getByRole('textbox', { name: '地址' });
    await address.fill('talk.example');
    await form.getByRole('button', { name: '测试连接' }).click();
    await expect(form.getByRole('alert').filter({ hasText: '缺少开头部分' })).toBeVisible();

    await address.fill(`ws://127.0.0.1:${port}`);
    await form.getByRole('button', { name: '测试连接' }).click();
    const verdict = form.getByRole('status');
    await expect(verdict).toContainText(`127.0.0.1:${port} 上没有程序在监听`);
    await expect(verdict).not.toContainText(english);
  });
});

test('the focus goes to the nearest control when the only entry of a list is removed @page @nightly', async ({
  start,
}) => {
  const { page } = await start();
  const focused = page.locator('button:focus, input:focus, textarea:focus');
  await openSection(page, 'Memory');
  await page.locator('form').getByRole('textbox').fill('I live in Bern.');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete: I live in Bern.' }).click();
  await expect(page.locator('.memory-row')).toHaveCount(0);
  await expect(focused).toBeVisible();

  await openSection(page, 'Tools');
  const json = '{ "mcpServers": { "notes": { "command": "notes-mcp" } } }';
  await page.locator('textarea.further-fields').fill(json);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator('.tool-server-head button').last().click();
  await expect(page.locator('.tool-server')).toHaveCount(0);
  await expect(focused).toBeVisible();
});

test('the focus stays in the window when a button is gone after its own click @page @nightly', async ({
  start,
}) => {
  const { page } = await start();
  const focused = page.locator('button:focus, input:focus, textarea:focus');
  const sections = [
    { name: 'Keys', goes: ['Interrupt: no key', 'Interrupt: reset'] },
    {
      name: 'At the cursor',
      open: 'Add an action',
      goes: ['Cancel', 'Move Translate up', 'Reset to defaults'],
    },
    { name: 'Servers', open: 'Add a server', goes: ['Use MiniCPM-o’s public server'] },
  ];
  for (const { name, open, goes } of sections) {
    await openSection(page, name);
    if (open !== undefined) await page.getByRole('button', { name: open }).click();
    for (const each of goes) {
      const button = page.getByRole('button', { name: each, exact: true });
      await button.press('Enter');
      await expect(button).toHaveCount(0);
      await expect(focused).toBeVisible();
    }
  }
});

test('a key that is reset to its default is first taken from the function that has it now @page @nightly', async ({
  start,
}) => {
  const { page } = await start({ keys: { palette: 'none', pause: 'Control+KeyK' } });
  await openSection(page, 'Keys');
  const reset = page.getByRole('button', { name: 'Commands: reset' });
  await reset.first().click();
  const question = page.locator('.key-conflict');
  await expect(question).toContainText(/Ctrl \+ K.* is already used for: Pause/);
  await question.getByRole('button', { name: 'Use it here' }).click();
  await expect(question).toHaveCount(0);
  await expect(reset).toHaveCount(0);
});
