import type { Page } from '@playwright/test';
import type { FloodName } from '../floods/flood-kinds.ts';
import { openFloodServer } from '../floods/flood-server.ts';
import { serverSettings } from './fixtures/faulty-gateway.ts';
import { expect, test as base } from './fixtures/host-test.ts';
import { traceTasks } from './fixtures/page-tasks.ts';
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

/** The longest that the page did nothing else meanwhile, in the processor's own time. */
async function longestDuring(page: Page, act: () => Promise<void>): Promise<number> {
  const longest = await traceTasks(page);
  await act();
  return longest();
}

/** Until an answer is over and drawn to its end; looked for by the page itself and seldom: a locator reads the whole page. */
async function waitForAnswers(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const all = document.querySelectorAll('article.answer');
      if (all.length !== wanted || all[wanted - 1]?.ariaBusy !== 'false') return false;
      const before: unknown = Reflect.get(window, 'lettersBefore');
      const letters = document.body.textContent.length;
      Reflect.set(window, 'lettersBefore', letters);
      return letters === before;
    },
    count,
    { polling: 700, timeout: 150_000 },
  );
}

async function askFor(page: Page, answer: number): Promise<void> {
  await ask(page, 'Go on.');
  await waitForAnswers(page, answer);
}

/** Another conversation, and then the one before it as it is kept. */
async function openAgain(page: Page, count: number): Promise<void> {
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await expect(answers(page)).toHaveCount(0);
  await page.locator('.chat-list-open').first().click();
  await waitForAnswers(page, count);
}

/**
 * How many times the longest task of an ordinary answer of as many letters, each of the processor's own time: up to five
 * was measured beside other work. Read and drawn in one task it was seventeen.
 */
const most = 8;
/** Where the ordinary answer's is shorter, this counts in its place. */
const leastMs = 20;

// How a page reads an answer is the same in both hosts; how words come to it is not.
const floods = [
  ['list', ' @page'],
  ['headings', ' @page'],
  ['marks', ' @page'],
  ['words', ''],
] as const;

for (const [kind, tag] of floods) {
  test.describe(`a written answer that is a flood of ${kind}${tag}`, () => {
    test.use({ kind });

    test('leaves the page its turn, as it comes and when it is opened again', async ({
      page,
      host,
    }) => {
      test.setTimeout(300_000);
      await openChat(page);
      const ordinary = {
        coming: await longestDuring(page, () => askFor(page, 1)),
        again: await longestDuring(page, () => openAgain(page, 1)),
      };
      const flood = {
        coming: await longestDuring(page, () => askFor(page, 2)),
        again: await longestDuring(page, () => openAgain(page, 2)),
      };
      for (const when of ['coming', 'again'] as const) {
        process.stdout.write(
          `${host} chat ${kind} ${when}: longest task ${flood[when].toFixed(0)} ms of the processor's time; ` +
            `ordinary: ${ordinary[when].toFixed(0)} ms\n`,
        );
      }
      for (const when of ['coming', 'again'] as const) {
        expect(flood[when] / Math.max(ordinary[when], leastMs), when).toBeLessThan(most);
      }
    });
  });
}
