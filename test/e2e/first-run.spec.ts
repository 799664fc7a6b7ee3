import type { Page } from '@playwright/test';
import { selfSigned } from '../fakes/self-signed.ts';
import { expect, test } from './fixtures/host-test.ts';
import { waitForPaint } from './fixtures/pages/page-checks.ts';
import { putTalk } from './fixtures/running-host.ts';
import { waitUntilLive } from './fixtures/pages/talk-page.ts';
import { openAcceptingServer } from './fixtures/servers.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

/** Records every title that the page shows from its next load on, even for one frame. */
async function recordTitles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('h1')) {
        if (performance.getEntriesByName(textContent).length === 0) performance.mark(textContent);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

const recordedTitles = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => performance.getEntriesByType('mark').map(({ name }) => name));

test.use({ stored: 'nothing' });

test('the first steps lead to a talk by keyboard alone, in under 50 seconds', async ({ page }) => {
  skipWithoutSoundCard();
  const began = Date.now();
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Welcome to Parley.');
  await expect(title).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: 'English' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(title).toHaveText('欢迎使用 Parley。');
  await page.keyboard.press('ArrowUp');
  await expect(title).toHaveText('Welcome to Parley.');
  await page.keyboard.press('Enter');

  await expect(title).toHaveText('Can it hear you?');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Check the microphone' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Say something')).toBeVisible();
  const meter = page.getByRole('meter');
  const spoken = speakSentence();
  await expect
    .poll(async () => Number(await meter.getAttribute('aria-valuenow')))
    .toBeGreaterThan(40);
  await expect(page.getByText('Parley can hear you.')).toBeVisible();
  await page.keyboard.press('Enter');

  await expect(title).toHaveText('Who do you want to talk with?');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: /demonstration/ })).toBeFocused();
  await expect(page.getByRole('radio', { name: /demonstration/ })).toBeChecked();
  await page.keyboard.press('Enter');
  await waitUntilLive(page);
  await expect(page.getByRole('region', { name: 'Controls' })).toBeFocused();
  const seconds = (Date.now() - began) / 1000;
  test.info().annotations.push({
    type: 'measured',
    description: `from the first step to a live talk: ${seconds.toFixed(1)} s`,
  });
  // Half of the time is speech and listening; the rest allows for a busy machine.
  expect(seconds).toBeLessThan(50);
  await spoken;
});

test('a first start shows only the first steps, and a start after the user skipped them shows only the start screen @nightly', async ({
  page,
}) => {
  await expect(page.getByRole('button', { name: 'Skip setup' })).toBeVisible();
  // The host writes the first state into the page, because the page cannot ask the core yet.
  const mark = page.locator('meta[name="parley-first-state"]');
  await expect(mark).toHaveAttribute('content', /"firstSteps":"due"/u);
  await recordTitles(page);
  await page.reload();
  await waitForPaint(page);
  await expect(page.getByRole('button', { name: 'Skip setup' })).toBeVisible();
  expect(await recordedTitles(page)).toEqual(['Welcome to Parley.']);

  await page.getByRole('button', { name: 'Skip setup' }).click();
  await page.reload();
  await waitForPaint(page);
  await expect(page.getByRole('button', { name: 'Start talking' })).toBeVisible();
  expect(await recordedTitles(page)).toEqual(['Ready when you are.']);
});

test('choosing a server warns that the server may record, and offers the public server @page', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('may record')).toHaveCount(0);
  await page.getByRole('radio', { name: 'My own server' }).check();
  await expect(page.getByText('Whoever runs a server may record')).toBeVisible();
  await page.getByRole('button', { name: 'public server' }).click();
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue(
    'wss://minicpmo45.modelbest.cn',
  );
  await expect(page.getByRole('button', { name: 'public server' })).toHaveCount(0);
});

test('the first steps offer to trust a self-signed certificate, and then start the talk @nightly', async ({
  page,
}) => {
  const certificate = selfSigned();
  const server = await openAcceptingServer({ tls: certificate });
  try {
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('radio', { name: 'My own server' }).check();
    await page.getByRole('textbox', { name: 'Address' }).fill(`wss://localhost:${server.port}`);
    await page.getByRole('button', { name: 'Start talking' }).click();
    await expect(page.getByText(certificate.fingerprint)).toBeVisible();
    expect(server.requests).toHaveLength(0);
    await page.getByRole('button', { name: 'Trust this certificate' }).click();
    await expect(page.getByRole('heading', { name: 'Who do you want' })).toHaveCount(0);
    await expect.poll(() => server.requests.length).toBeGreaterThan(1);
  } finally {
    await server.end();
  }
});

/** A layout shift; TypeScript's DOM types lack it. */
interface LayoutShift extends PerformanceEntry {
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** Layout shifts since the page was loaded, without those after input. */
function layoutShifts(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const seen = new Promise<readonly string[]>((resolve) => {
      const lines: string[] = [];
      const observer = new PerformanceObserver((list) => {
        for (const { sources } of list.getEntries() as LayoutShift[]) {
          for (const { node, previousRect: from, currentRect: to } of sources) {
            lines.push(`${node?.nodeName ?? '?'}: ${from.x},${from.y} to ${to.x},${to.y}`);
          }
        }
      });
      observer.observe({ type: 'layout-shift', buffered: true });
      // Buffered entries arrive in a later task.
      setTimeout(() => {
        observer.disconnect();
        resolve(lines);
      }, 200);
    });
    return seen;
  });
}

test.describe('a user with settings', () => {
  test.use({ stored: { firstRun: { done: true } } });

  test('sees a first screen that does not shift when its font and the core’s answers arrive @nightly', async ({
    home,
    host,
    start,
  }) => {
    test.skip(host === 'browser', 'measured in the window only');
    await putTalk(home);
    const open = async () => {
      const { page } = await start();
      await expect(page.getByRole('heading', { name: 'Ready when you are.' })).toBeVisible();
      const recents = page.getByRole('navigation', { name: 'Recent talks' });
      await expect(recents.getByRole('button')).toHaveCount(1);
      return page;
    };
    // The second start knows the number of talks from the first.
    await open();
    expect(await layoutShifts(await open())).toEqual([]);
  });
});
