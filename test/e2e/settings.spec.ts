import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '../contract/sound/say.ts';
import { expect, test } from './fixtures/host-test.ts';
import { overflowOf } from './fixtures/pages/page-checks.ts';
import { openSection, row } from './fixtures/pages/settings-screen.ts';
import { skipWithoutSoundCard } from './fixtures/sound-card.ts';

const theme = () => document.documentElement.dataset['theme'];
const patient = { timeout: 30_000 };

const textSize = () => getComputedStyle(document.documentElement).fontSize;

test('settings apply at once and survive a restart', async ({ start, home }) => {
  const { page } = await start();
  await openSection(page, 'Assistant');
  await page.getByRole('textbox', { name: 'Your own instructions' }).fill('Speak like a pilot.');
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
  const kept = await readFile(join(home, 'state/settings.json'), 'utf8');
  expect(kept).toContain('"keepTapes": true');
});

test('the first painted frame has the chosen theme', async ({ start }) => {
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

test('text typed right before a reload is saved', async ({ start }) => {
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

test('a setting is found by words of both languages @page', async ({ start }) => {
  const { page } = await start();
  await openSection(page, 'Servers');
  const search = page.getByRole('textbox', { name: 'Find a setting' });
  for (const word of ['fps', '帧率']) {
    await search.fill(word);
    await page.getByRole('button', { name: /^Pictures per second/ }).click();
    await expect(page.getByRole('slider', { name: 'Pictures per second' })).toBeFocused();
  }
  await search.fill('xyzzy');
  await expect(page.getByText('No results')).toBeVisible();
});

test('the microphone meter follows speech', async ({ start }) => {
  skipWithoutSoundCard();
  const { page } = await start();
  await openSection(page, 'Sound');
  await row(page, 'Test the microphone').getByRole('button', { name: 'Start' }).click();
  const meter = page.getByRole('meter');
  await expect(page.getByText(/^Listening to /)).toBeVisible({ timeout: 15_000 });
  const level = async () => Number(await meter.getAttribute('aria-valuenow'));
  await expect.poll(level).toBeLessThan(30);
  const speech = say(tone(3), 16_000);
  await expect.poll(level, { timeout: 10_000 }).toBeGreaterThan(60);
  await speech;
  await row(page, 'Test the microphone').getByRole('button', { name: 'Stop' }).click();
  await expect(meter).toBeHidden();
});

test('noise reduction applies at once, shows in the meter, and is saved', async ({
  start,
  home,
}) => {
  skipWithoutSoundCard();
  const { page } = await start();
  await openSection(page, 'Sound');
  await row(page, 'Test the microphone').getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText(/^Listening to /)).toBeVisible({ timeout: 15_000 });
  const meter = page.getByRole('meter');
  /** The meter's value for a steady tone, after a while. */
  const loudness = async (): Promise<number> => {
    const speech = say(tone(4), 16_000);
    await page.waitForTimeout(2000);
    const seen: number[] = [];
    for (let look = 0; look < 15; look += 1) {
      seen.push(Number(await meter.getAttribute('aria-valuenow')));
      await page.waitForTimeout(60);
    }
    await speech;
    // The median ignores single late readings.
    return seen.toSorted((one, other) => one - other)[7] ?? Number.NaN;
  };
  const before = await loudness();
  expect(before).toBeGreaterThan(60);
  await row(page, 'Background noise').getByRole('radio', { name: 'Strong' }).click();
  await row(page, 'Steady voice').getByRole('radio', { name: 'Gentle' }).click();
  expect(await loudness()).toBeLessThan(before - 15);
  const kept = await readFile(join(home, 'state/settings.json'), 'utf8');
  expect(JSON.parse(kept)).toMatchObject({ audio: { noise: 'strong', level: 'gentle' } });
});

test('the talk key can be changed, and its test shows that it arrives', async ({ start }) => {
  const { page } = await start();
  await openSection(page, 'Talking');
  const change = page.getByRole('button', { name: 'Change' });
  await change.click();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter presses buttons. Choose another key.')).toBeVisible();
  await page.keyboard.press('Control+Shift+KeyJ');
  await expect(page.locator('kbd')).toHaveText('Ctrl + Shift + J');
  await change.click();
  await page.keyboard.press('KeyJ');
  await expect(page.locator('kbd')).toHaveText('J');
  await page.keyboard.down('KeyJ');
  await expect(page.getByText('J works', { exact: true })).toBeVisible();
  await page.keyboard.up('KeyJ');
  await expect(page.getByText('J worked')).toBeVisible();
  await page.getByRole('radio', { name: 'Hold', exact: true }).click();
  await page.getByRole('button', { name: 'Talk', exact: true }).click();
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByRole('button', { name: 'Hold to talk' })).toBeVisible(patient);
  await page.keyboard.down('KeyJ');
  await expect(page.getByRole('button', { name: 'Parley hears you' })).toBeVisible();
  await page.keyboard.up('KeyJ');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tap J');
  await expect(page.getByRole('option', { name: 'Mic mode: Tap J' })).toBeVisible();
});

test('an overlong prompt is refused in a sentence and stays in its field @page', async ({
  start,
}) => {
  const { page } = await start();
  await openSection(page, 'Assistant');
  const prompt = page.getByRole('textbox', { name: 'Your own instructions' });
  await prompt.fill('word '.repeat(10_000));
  await expect(page.getByText(/30000 characters too long/)).toBeVisible();
  await openSection(page, 'Seeing');
  await openSection(page, 'Assistant');
  expect((await prompt.inputValue()).length).toBe(50_000);
});

test('unreadable settings are reported', async ({ start, home }) => {
  await mkdir(join(home, 'state'));
  await writeFile(join(home, 'state/settings.json'), '{ "appearance": { "theme": "pink"');
  const { page } = await start();
  await openSection(page, 'Appearance');
  await expect(page.getByRole('alert').filter({ hasText: /could not be read/ })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 600 });
  expect(await overflowOf(page)).toBe(0);
});

function tone(seconds: number): Float32Array {
  return Float32Array.from(
    { length: seconds * 16_000 },
    (_, n) => 0.5 * Math.sin((n / 16_000) * 2 * Math.PI * 220),
  );
}
