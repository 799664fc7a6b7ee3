import type { Page } from '@playwright/test';
import { expect, test as base } from './fixtures/host-test.ts';
import { startTalk } from './fixtures/pages/talk-page.ts';
import { serveFaults, serverSettings } from './fixtures/servers.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

/** The server's sessions are short without announcing it; Parley learns the limit from the first one. */
const shortSessions = ['--mode-limits', 'audio=24'];

const test = base.extend<{ readonly server: string }>({
  server: async ({ browserName: _asked }, use) => {
    const server = await serveFaults([], shortSessions);
    await use(server.url);
    await server.end();
  },
  stored: ({ server }, use) => use(serverSettings(server)),
});

const patient = { timeout: 60_000 };

test('a talk continues in another session before the time limit', async ({ page }, testInfo) => {
  skipWithoutSoundCard();
  test.setTimeout(200_000);
  await startTalk(page);
  const states = await watchText(page, '.session-bar [role="status"]');
  await askAndHear(page);
  // The first session ends unexpectedly, so the next one has to connect.
  await expect.poll(states, patient).toEqual(['Live', 'Reconnecting', 'Live']);
  const mark = page.getByText('Continues in a new session');
  await expect(mark).toHaveCount(0);
  for (let asked = 2; asked <= 6 && (await mark.count()) === 0; asked += 1) await askAndHear(page);
  await expect(mark).toHaveCount(1);
  // The hand-over changes nothing else on the screen.
  expect(await states()).toHaveLength(3);
  await expect(page.getByText('seconds left')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('ended');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: testInfo.outputPath(`${colorScheme}.png`) });
  }
});

/** Speaks a sentence, and waits for the answer's end. */
async function askAndHear(page: Page): Promise<void> {
  const captions = page.locator('.caption');
  const before = await captions.count();
  await speakSentence();
  await expect(captions).toHaveCount(before + 1, patient);
  await expect(page.getByText('Nobody is speaking')).toBeVisible(patient);
}

async function watchText(page: Page, selector: string): Promise<() => Promise<string[]>> {
  const watched = await page.evaluateHandle((where) => {
    const place = document.querySelector(where);
    const texts = [place?.textContent ?? ''];
    if (place === null) throw new Error(`Nothing is at ${where}.`);
    new MutationObserver(() => {
      const text = place.textContent;
      if (text !== texts.at(-1)) texts.push(text);
    }).observe(place, { childList: true, characterData: true, subtree: true });
    return texts;
  }, selector);
  return () => watched.jsonValue();
}
