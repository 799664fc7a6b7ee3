import type { Page } from '@playwright/test';
import manifest from '../../package.json' with { type: 'json' };
import { expect, test } from './fixtures/host-test.ts';
import { goToAbout } from './fixtures/pages/settings-screen.ts';

const hostTitles = {
  browser: 'Browser',
  desktop: 'Desktop window',
  packaged: 'Desktop window',
} as const;

const loaded = (page: Page) =>
  expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);

test('About shows versions and native parts, and checks them again by keyboard', async ({
  page,
  host,
}) => {
  await goToAbout(page);
  // Technical details start collapsed.
  await expect(page.getByRole('listitem').getByRole('status')).toHaveCount(0);
  await page.getByText('Technical details').click();
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText(`Parley ${manifest.version}`);
  const facts = page.getByRole('region', { name: 'Running on' });
  await expect(facts).toContainText(hostTitles[host]);
  await expect(facts).toContainText(/Node\d+\.\d+\.\d+/);
  if (host === 'browser') await expect(facts).not.toContainText('Electron');
  else await expect(facts).toContainText(/Electron\d+\.\d+\.\d+Chromium\d+/);
  const parts = page.getByRole('region', { name: 'Native parts' });
  await expect(parts.getByRole('listitem')).toHaveText([
    /^Sound \(PortAudio\)Loadsnaudiodon \d+\.\d+\.\d+$/,
    /^Pictures \(libvips\)Loadslibvips \d+\.\d+\.\d+$/,
  ]);

  // The button follows the details that were just opened.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Check again' })).toBeFocused();
  const seen = checking(page);
  await page.keyboard.press('Enter');
  expect(await seen).toBe('checking');
  await loaded(page);
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

// The desktop app would open a file manager.
test('About shows where the log is @page', async ({ page }) => {
  await goToAbout(page);
  await page.getByRole('button', { name: 'Show log folder' }).click();
  await expect(page.getByText(/It is in .*logs$/)).toBeVisible();
});
