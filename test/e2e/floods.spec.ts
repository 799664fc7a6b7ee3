import type { Page } from '@playwright/test';
import type { FloodName } from '../floods/flood-kinds.ts';
import { openFloodServer } from '../floods/flood-server.ts';
import { serverSettings } from './fixtures/faulty-gateway.ts';
import { expect, test as base } from './fixtures/host-test.ts';

interface Flooding {
  readonly kind: FloodName;
  readonly server: string;
}

const test = base.extend<Flooding>({
  kind: ['words', { option: true }],
  server: async ({ kind }, use) => {
    const { port, end } = await openFloodServer();
    await use(`ws://127.0.0.1:${port}/${kind}/flood`);
    await end();
  },
  stored: ({ server }, use) => use(serverSettings(server)),
});

interface Seen {
  /** How often the page changed what it shows of the talk. */
  readonly draws: number;
  /** The longest that it did nothing else. */
  readonly longestMs: number;
}

/** Counts from now on what the page does. */
async function watch(page: Page): Promise<() => Promise<Seen>> {
  await page.evaluate(() => {
    const seen = { draws: 0, longestMs: 0 };
    Reflect.set(window, 'seenOfFlood', seen);
    new MutationObserver(() => (seen.draws += 1)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        seen.longestMs = Math.max(seen.longestMs, duration);
    }).observe({ type: 'longtask' });
  });
  return () => page.evaluate(() => Reflect.get(window, 'seenOfFlood') as Seen);
}

const patient = { timeout: 120_000 };

/** What a talk is called that ended so; a page that is buried under notices gets there late or never. */
const floods: readonly (readonly [kind: FloodName, end: RegExp, mostDraws: number])[] = [
  ['words', /time limit/, 3000],
  ['turns', /time limit/, 3000],
  ['samples', /time limit/, 3000],
  ['errors', /one mistake after the other/, 1000],
  ['hour', /minutes of speech at once/, 1000],
];

for (const [kind, end, mostDraws] of floods) {
  test.describe(`a flood of ${kind}`, () => {
    test.use({ kind });

    test('leaves the page its turn, and ends in words', async ({ page, host }) => {
      test.setTimeout(180_000);
      const seen = await watch(page);
      await page.getByRole('button', { name: 'Start talking' }).click();
      await expect(page.getByRole('main')).toContainText(end, patient);
      const { draws, longestMs } = await seen();
      process.stdout.write(
        `${host} ${kind}: ${draws} draws, longest task ${longestMs.toFixed(0)} ms\n`,
      );
      expect(draws).toBeLessThan(mostDraws);
      // It still does what it is asked.
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog')).toBeVisible();
    });
  });
}
