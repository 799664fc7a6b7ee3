import type { Page } from '@playwright/test';
import manifest from '../../package.json' with { type: 'json' };
import { expect, test } from './fixtures/host-test.ts';
import { overflowOf } from './fixtures/pages/page-checks.ts';
import { goToAbout } from './fixtures/pages/settings-screen.ts';

const hostTitles = {
  browser: 'Browser',
  desktop: 'Desktop window',
  packaged: 'Desktop window',
} as const;

test.beforeEach(async ({ page, language }) => {
  await goToAbout(page);
  // Technical details start collapsed.
  await expect(page.getByRole('listitem').getByRole('status')).toHaveCount(0);
  await page.getByText(language === 'zh-CN' ? '技术信息' : 'Technical details').click();
});

const loaded = (page: Page) =>
  expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);

// The steps only read, so one start serves them all.
test('About shows versions and native parts, and checks them again by keyboard and mouse', async ({
  page,
  host,
}) => {
  await test.step('the page lists the running versions', async () => {
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText(`Parley ${manifest.version}`);
    const facts = page.getByRole('region', { name: 'Running on' });
    await expect(facts).toContainText(hostTitles[host]);
    await expect(facts).toContainText(/Node\d+\.\d+\.\d+/);
    if (host === 'browser') await expect(facts).not.toContainText('Electron');
    else await expect(facts).toContainText(/Electron\d+\.\d+\.\d+Chromium\d+/);
  });
  await test.step('notices report PortAudio and libvips as loaded', async () => {
    const parts = page.getByRole('region', { name: 'Native parts' });
    await expect(parts.getByRole('listitem')).toHaveText([
      /^Sound \(PortAudio\)Loadsnaudiodon \d+\.\d+\.\d+$/,
      /^Pictures \(libvips\)Loadslibvips \d+\.\d+\.\d+$/,
    ]);
  });
  const button = page.getByRole('button', { name: 'Check again' });
  await test.step('the check runs again by keyboard', async () => {
    await loaded(page);
    // The button follows the details that were just opened.
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused();
    const seen = checking(page);
    await page.keyboard.press('Enter');
    expect(await seen).toBe('checking');
    await loaded(page);
  });
  await test.step('the check runs again by a click', async () => {
    const seen = checking(page);
    await button.click();
    expect(await seen).toBe('checking');
    await loaded(page);
  });
  await test.step('the page has no access to Node', async () => {
    const nodeGlobals = page.evaluate(() => [
      typeof Reflect.get(window, 'require'),
      typeof Reflect.get(window, 'process'),
    ]);
    expect(await nodeGlobals).toEqual(['undefined', 'undefined']);
  });
  await test.step('a narrow window', async () => {
    await page.setViewportSize({ width: 320, height: 600 });
    expect(await overflowOf(page)).toBe(0);
  });
});

/** Resolves once the page shows that it is checking. */
function checking(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const list = document.querySelector('.technical ul');
        new MutationObserver(() => {
          if (list?.textContent.includes('Checking…') === true) resolve('checking');
        }).observe(document.body, { subtree: true, characterData: true, childList: true });
      }),
  );
}

test.describe('in Chinese', () => {
  test.use({ language: 'zh-CN' });

  test('About is in Chinese', async ({ page }) => {
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      '复制诊断信息',
      '日志',
      '许可证',
      '运行环境',
      '原生组件',
    ]);
    await expect(page.getByRole('listitem').getByRole('status')).toHaveText(['已加载', '已加载']);
  });
});
