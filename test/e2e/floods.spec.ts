import type { Page, CDPSession } from '@playwright/test';
import { openFloodServer, type FloodName } from '../floods/flood-kinds.ts';
import { expect, test as base } from './fixtures/host-test.ts';
import { answers, ask, openChat } from './fixtures/pages/chat-page.ts';
import { serverSettings } from './fixtures/servers.ts';

interface TraceEvent {
  readonly name: unknown;
  readonly thread: string;
  /** Thread time in microseconds. */
  readonly threadTimeUs: number;
  readonly threadName: unknown;
}

function readEvent(event: object): TraceEvent {
  const field = (name: string): unknown => Reflect.get(event, name);
  const args = field('args');
  return {
    name: field('name'),
    thread: `${String(field('pid'))} ${String(field('tid'))}`,
    threadTimeUs: Number(field('tdur') ?? 0),
    threadName: typeof args === 'object' && args !== null ? Reflect.get(args, 'name') : undefined,
  };
}

/**
 * Starts tracing; the returned function gives the longest task of the page's thread in ms. It counts thread time: by
 * the clock a task takes twenty times as long beside other programs.
 */
async function traceLongestTask(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const raw of value) {
      const event = readEvent(raw);
      if (isTask(event) || isPageThread(event)) events.push(event);
    }
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { recordMode: 'recordUntilFull', includedCategories: ['toplevel'] },
  });
  return async () => {
    await endTracing(session);
    await session.detach();
    const pages = new Set(events.filter(isPageThread).map(({ thread }) => thread));
    const tasks = events.filter((event) => isTask(event) && pages.has(event.thread));
    if (tasks.length === 0) throw new Error('The trace has no task of any page.');
    return Math.max(...tasks.map(({ threadTimeUs }) => threadTimeUs)) / 1000;
  };
}

async function endTracing(session: CDPSession): Promise<void> {
  const complete = new Promise((resolve) => {
    session.once('Tracing.tracingComplete', resolve);
  });
  await session.send('Tracing.end');
  await complete;
}

const isTask = ({ name }: TraceEvent): boolean =>
  typeof name === 'string' && name.endsWith('RunTask');
const isPageThread = ({ name, threadName }: TraceEvent): boolean =>
  name === 'thread_name' && threadName === 'CrRendererMain';

const test = base.extend<{ readonly kind: FloodName; readonly server: string }>({
  kind: ['words', { option: true }],
  server: async ({ kind }, use) => {
    const { port, end } = await openFloodServer();
    await use(`ws://127.0.0.1:${port}/${kind}/both`);
    await end();
  },
  stored: ({ server }, use) => use({ ...serverSettings(server), talking: { longTalks: 'ask' } }),
});

/** The longest task of the page during `act`, in ms of processor time. */
async function maxTaskMs(page: Page, act: () => Promise<void>): Promise<number> {
  const longest = await traceLongestTask(page);
  await act();
  return longest();
}

/** Each flood, where it is shown, and the text of its end, which a page buried under notices shows late or never. */
const floods: readonly (readonly [FloodName, 'window' | 'inspector' | 'mini', RegExp])[] = [
  ['words', 'window', /time limit/],
  ['turns', 'window', /time limit/],
  ['samples', 'window', /time limit/],
  ['errors', 'window', /one error after another/],
  ['hour', 'window', /minutes of speech at once/],
  ['words', 'inspector', /time limit/],
  ['words', 'mini', /time limit/],
];

/**
 * The longest task may take this many times that of an ordinary answer, which counts as at least half a frame. The ratio is
 * three times the measured one.
 */
const maxRatio = 5;
const minOrdinaryMs = 8;
const again = /Start over|Start a new talk/;

for (const [kind, place, end] of floods) {
  // Hosts differ only in how notices reach the page, and only the desktop has a mini window.
  const tag = place === 'window' && kind === 'words' ? '' : ' @page';
  test.describe(`a flood of ${kind} in the ${place}${tag}`, () => {
    test.use({ kind });

    test('leaves the page responsive, and its closing message appears', async ({ page, host }) => {
      test.setTimeout(240_000);
      if (place === 'mini') await page.goto(new URL('/?window=mini', page.url()).href);
      if (place === 'inspector') await page.keyboard.press('Control+i');
      const ordinary = await maxTaskMs(page, async () => {
        await page.getByRole('button', { name: 'Start talking' }).click();
        await waitForText(page, /time limit/);
      });
      const flood = await maxTaskMs(page, async () => {
        await page.getByRole('button', { name: again }).click();
        await waitForText(page, again, false);
        await waitForText(page, end);
      });
      process.stdout.write(`${host} ${kind} in the ${place}: ${flood} ms beside ${ordinary} ms\n`);
      expect(flood / Math.max(ordinary, minOrdinaryMs)).toBeLessThan(maxRatio);
      if (place === 'mini') return;
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog')).toBeVisible();
    });
  });
}

/** Polls in the page, and rarely, because a locator reads the whole page. */
async function waitForText(page: Page, text: RegExp, there = true): Promise<void> {
  await page.waitForFunction(
    ([pattern, wanted]) => {
      const main = document.querySelector('main');
      const labels = [...(main?.querySelectorAll('[aria-label]') ?? [])];
      const words = labels.map((element) => element.ariaLabel).join(' ');
      return new RegExp(pattern).test(`${main?.textContent ?? ''} ${words}`) === wanted;
    },
    [text.source, there] as const,
    { polling: 300, timeout: 120_000 },
  );
}

/**
 * The allowed ratio to the longest task of an ordinary answer with as many letters. Up to 5 was measured beside other
 * work, 17 when the answer was parsed and drawn in one task.
 */
const maxChatRatio = 8;
const minOrdinaryChatMs = 20;

for (const [kind, tag] of [
  ['list', ' @page'],
  ['headings', ' @page'],
  ['marks', ' @page'],
  ['words', ''],
] as const) {
  test.describe(`a chat answer with a flood of ${kind}${tag}`, () => {
    test.use({ kind });

    test('keeps the page responsive while it arrives and when the chat is reopened', async ({
      page,
      host,
    }) => {
      test.setTimeout(300_000);
      await openChat(page);
      const longest = async (answer: number) => ({
        arriving: await maxTaskMs(page, async () => {
          await ask(page, 'Go on.');
          await waitForAnswers(page, answer);
        }),
        reopened: await maxTaskMs(page, async () => {
          await page.getByRole('button', { name: 'New chat', exact: true }).click();
          await expect(answers(page)).toHaveCount(0);
          await page.locator('.chat-list-open').first().click();
          await waitForAnswers(page, answer);
        }),
      });
      const ordinary = await longest(1);
      const flood = await longest(2);
      for (const when of ['arriving', 'reopened'] as const) {
        const times = `${flood[when]} ms beside ${ordinary[when]} ms`;
        process.stdout.write(`${host} chat ${kind} ${when}: ${times}\n`);
        const ratio = flood[when] / Math.max(ordinary[when], minOrdinaryChatMs);
        expect(ratio, when).toBeLessThan(maxChatRatio);
      }
    });
  });
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
