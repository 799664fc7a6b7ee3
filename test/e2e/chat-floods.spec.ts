import type { Page } from '@playwright/test';
import type { FloodName } from '../floods/flood-kinds.ts';
import { openFloodServer } from '../floods/flood-server.ts';
import { serverSettings } from './fixtures/faulty-gateway.ts';
import { expect, test as base } from './fixtures/host-test.ts';
import { traceLongestTask } from './fixtures/trace-longest-task.ts';
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

/** The longest task of the page during `act`, in ms of CPU time. */
async function maxTaskMs(page: Page, act: () => Promise<void>): Promise<number> {
  const longest = await traceLongestTask(page);
  await act();
  return longest();
}

/**
 * Waits until an answer has ended and is fully drawn. Polls every 700 ms inside the page, because a locator would read the
 * whole page at each try.
 */
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

async function reopenChat(page: Page, count: number): Promise<void> {
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await expect(answers(page)).toHaveCount(0);
  await page.locator('.chat-list-open').first().click();
  await waitForAnswers(page, count);
}

/**
 * The allowed ratio to the longest task of an ordinary answer with as many letters. Up to 5 was measured beside other
 * work, 17 when the answer was parsed and drawn in one task.
 */
const maxRatio = 8;
/** Replaces an ordinary answer's longest task if that is shorter. */
const minOrdinaryMs = 20;

// Hosts differ only in how words reach the page, so one flood runs in both.
const floods = [
  ['list', ' @page'],
  ['headings', ' @page'],
  ['marks', ' @page'],
  ['words', ''],
] as const;

for (const [kind, tag] of floods) {
  test.describe(`a chat answer with a flood of ${kind}${tag}`, () => {
    test.use({ kind });

    test('keeps the page responsive while it arrives and when the chat is reopened', async ({
      page,
      host,
    }) => {
      test.setTimeout(300_000);
      await openChat(page);
      const ordinary = {
        arriving: await maxTaskMs(page, () => askFor(page, 1)),
        reopened: await maxTaskMs(page, () => reopenChat(page, 1)),
      };
      const flood = {
        arriving: await maxTaskMs(page, () => askFor(page, 2)),
        reopened: await maxTaskMs(page, () => reopenChat(page, 2)),
      };
      for (const when of ['arriving', 'reopened'] as const) {
        process.stdout.write(
          `${host} chat ${kind} ${when}: longest task ${flood[when].toFixed(0)} ms of CPU time; ` +
            `ordinary: ${ordinary[when].toFixed(0)} ms\n`,
        );
      }
      for (const when of ['arriving', 'reopened'] as const) {
        expect(flood[when] / Math.max(ordinary[when], minOrdinaryMs), when).toBeLessThan(maxRatio);
      }
    });
  });
}
