import { serveFaults, serverSettings } from './fixtures/faulty-gateway.ts';
import { expect, test as base } from './fixtures/host-test.ts';
import { skipWithoutSoundCard } from './fixtures/skip-without-sound-card.ts';
import { speakSentence } from './fixtures/pages/speak-sentence.ts';

/** A model whose memory is full after less than a minute. */
const smallMemory = ['--context', '700'];

const test = base.extend<{ readonly server: string }>({
  server: async ({ browserName: _asked }, use) => {
    const server = await serveFaults([], smallMemory);
    await use(server.url);
    await server.end();
  },
  stored: ({ server }, use) => use(serverSettings(server)),
});

const patient = { timeout: 60_000 };

test('a talk goes on in another session before the memory of one is full', async ({ page }) => {
  skipWithoutSoundCard();
  test.setTimeout(200_000);
  const state = page.getByRole('region', { name: 'This talk' }).getByRole('status');
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(state).toHaveText('Live', patient);
  const captions = page.locator('.caption');
  const mark = page.getByText('Goes on in a new session');
  await speakSentence();
  await expect(captions).toHaveCount(1, patient);
  for (let asked = 2; asked <= 8 && (await mark.count()) === 0; asked += 1) {
    await expect(page.getByText('Nobody is speaking')).toBeVisible(patient);
    await speakSentence();
    await expect(captions).toHaveCount(asked, patient);
    await expect(state).toHaveText('Live');
  }
  await expect(mark).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('ended');
});
