import manifest from '../../package.json' with { type: 'json' };
import { expect, test } from './fixtures/host.ts';
import { openAbout } from './fixtures/open-about.ts';

const hostTitles = {
  browser: 'Browser',
  desktop: 'Desktop window',
  packaged: 'Desktop window',
} as const;

test.beforeEach(({ page }) => openAbout(page));

test('says what runs here', async ({ page, host }) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Parley ${manifest.version}`);
  const facts = page.getByRole('region', { name: 'Running on' });
  await expect(facts).toContainText(hostTitles[host]);
  await expect(facts).toContainText(/Node\d+\.\d+\.\d+/);
  if (host === 'browser') await expect(facts).not.toContainText('Electron');
  else await expect(facts).toContainText(/Electron\d+\.\d+\.\d+Chromium\d+/);
});

test('loads PortAudio and sharp, as notices tell', async ({ page }) => {
  const parts = page.getByRole('region', { name: 'Native parts' });
  await expect(parts.getByRole('listitem')).toHaveText([
    /^Sound \(PortAudio\)Loadsnaudiodon \d+\.\d+\.\d+$/,
    /^Pictures \(sharp\)Loadssharp \d+\.\d+\.\d+, libvips \d+\.\d+\.\d+$/,
  ]);
});

test('checks again when asked', async ({ page }) => {
  const states = page.getByRole('status');
  await expect(states).toHaveText(['Loads', 'Loads']);
  const seen = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const list = document.querySelector('main section ul');
        new MutationObserver(() => {
          if (list?.textContent.includes('Checking…') === true) resolve('checking');
        }).observe(document.body, { subtree: true, characterData: true, childList: true });
      }),
  );
  await page.getByRole('button', { name: 'Check again' }).click();
  expect(await seen).toBe('checking');
  await expect(states).toHaveText(['Loads', 'Loads']);
});

test('can be worked by keyboard', async ({ page }) => {
  await expect(page.getByRole('status')).toHaveText(['Loads', 'Loads']);
  const button = page.getByRole('button', { name: 'Check again' });
  // The part that was just opened is the last of its list; what it shows comes next.
  await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(['Loads', 'Loads']);
});

test('fits a narrow window', async ({ page }) => {
  await expect(page.getByRole('status')).toHaveText(['Loads', 'Loads']);
  await page.setViewportSize({ width: 320, height: 600 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});

test('gives the page no power of Node', async ({ page }) => {
  expect(
    await page.evaluate(() => [
      typeof Reflect.get(window, 'require'),
      typeof Reflect.get(window, 'process'),
    ]),
  ).toEqual(['undefined', 'undefined']);
});

test.describe('in Chinese', () => {
  test.use({ language: 'zh-CN' });

  test('says everything in Chinese', async ({ page }) => {
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      '运行环境',
      '原生组件',
      '复制诊断信息',
      '许可证',
    ]);
    await expect(page.getByRole('status')).toHaveText(['已加载', '已加载']);
  });
});
