import type { Page } from '@playwright/test';
import type { FloodName } from '../floods/flood-kinds.ts';
import { openFloodServer } from '../floods/flood-server.ts';
import { serverSettings } from './fixtures/faulty-gateway.ts';
import { expect, test as base } from './fixtures/host-test.ts';
import { answers, ask, openChat } from './fixtures/pages/chat-page.ts';

const test = base.extend<{ readonly kind: FloodName; readonly server: string }>({
  kind: ['list', { option: true }],
  server: async ({ kind }, use) => {
    const { port, end } = await openFloodServer();
    await use(`ws://127.0.0.1:${port}/${kind}/both`);
    await end();
  },
  stored: ({ server }, use) => use(serverSettings(server)),
});

/** The longest that the page did nothing else while an answer came, as the engine tells of it. */
async function longestDuring(page: Page, answer: number): Promise<number> {
  await page.evaluate(() => {
    Reflect.set(window, 'longestTask', 0);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        Reflect.set(
          window,
          'longestTask',
          Math.max(duration, Reflect.get(window, 'longestTask') as number),
        );
    }).observe({ type: 'longtask' });
  });
  await ask(page, 'Go on.');
  // Looked for by the page itself and seldom: a locator reads the whole page each time.
  await page.waitForFunction(
    (count) => {
      const all = document.querySelectorAll('article.answer');
      return all.length === count && all[count - 1]?.getAttribute('aria-busy') === 'false';
    },
    answer,
    { polling: 500, timeout: 150_000 },
  );
  return page.evaluate(() => Reflect.get(window, 'longestTask') as number);
}

/** How many times the longest task of an ordinary answer of as many letters; up to 17 was measured beside three other windows. */
const most = 25;
/** Shorter tasks than this are not told of. */
const least = 100;

// How a page reads an answer is the same in both hosts; how words come to it is not.
const floods = [
  ['list', ' @page'],
  ['headings', ' @page'],
  ['words', ''],
] as const;

for (const [kind, tag] of floods) {
  test.describe(`a written answer that is a flood of ${kind}${tag}`, () => {
    test.use({ kind });

    test('leaves the page its turn', async ({ page, host }) => {
      test.setTimeout(300_000);
      await openChat(page);
      const ordinary = await longestDuring(page, 1);
      const flood = await longestDuring(page, 2);
      process.stdout.write(
        `${host} chat ${kind}: longest task ${flood.toFixed(0)} ms; ordinary: ${ordinary.toFixed(0)} ms\n`,
      );
      expect(Math.max(flood, least) / Math.max(ordinary, least)).toBeLessThan(most);
      await expect(answers(page)).toHaveCount(2);
    });
  });
}
