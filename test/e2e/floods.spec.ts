import type { Page } from '@playwright/test';
import type { FloodName } from '../floods/flood-kinds.ts';
import { openFloodServer } from '../floods/flood-server.ts';
import { serverSettings } from './fixtures/faulty-gateway.ts';
import { expect, test as base } from './fixtures/host-test.ts';
import { traceTasks } from './fixtures/page-tasks.ts';

interface Flooding {
  readonly kind: FloodName;
  readonly server: string;
}

const test = base.extend<Flooding>({
  kind: ['words', { option: true }],
  server: async ({ kind }, use) => {
    const { port, end } = await openFloodServer();
    await use(`ws://127.0.0.1:${port}/${kind}/both`);
    await end();
  },
  stored: ({ server }, use) => use({ ...serverSettings(server), talking: { longTalks: 'ask' } }),
});

const patient = { timeout: 120_000 };

/** Where the talk is looked at. */
type Place = 'window' | 'inspector' | 'mini';

/** What a talk is called that ended so; a page that is buried under notices gets there late or never. */
const floods: readonly (readonly [
  kind: FloodName,
  place: Place,
  end: RegExp,
  mostDraws: number,
])[] = [
  ['words', 'window', /time limit/, 3000],
  ['turns', 'window', /time limit/, 3000],
  ['samples', 'window', /time limit/, 3000],
  ['errors', 'window', /one mistake after the other/, 1000],
  ['hour', 'window', /minutes of speech at once/, 1000],
  ['words', 'inspector', /time limit/, 3000],
  ['words', 'mini', /time limit/, 3000],
];

/**
 * How many times the longest task of the ordinary answer before it, each of the processor's own time. Three times what
 * was measured; the bound keeps what a flood costs near to what an ordinary answer costs.
 */
const most = 5;
/** Where the ordinary answer's is shorter, this counts in its place: half of what a frame has. */
const leastMs = 8;
/** By the words of the large window and of the small one. */
const again = /Start over|Start a new talk/;

/** How notices come to a page is not the same in both hosts, and seen with these; all else of a flood is. */
const inBothHosts: ReadonlySet<FloodName> = new Set(['words', 'turns']);

for (const [kind, place, end, mostDraws] of floods) {
  // The mini window is another page of the desktop, besides.
  const tag = place === 'window' && inBothHosts.has(kind) ? '' : ' @page';
  test.describe(`a flood of ${kind}, in the ${place}${tag}`, () => {
    test.use({ kind });

    test('leaves the page its turn, and ends in words', async ({ page, host }) => {
      test.setTimeout(240_000);
      if (place === 'mini') await page.goto(new URL('/?window=mini', page.url()).href);
      if (place === 'inspector') await page.keyboard.press('Control+i');
      const ordinary = await watch(page);
      await page.getByRole('button', { name: 'Start talking' }).click();
      await waitForText(page, /time limit/);
      const usual = await ordinary();
      const flood = await watch(page);
      await page.getByRole('button', { name: again }).click();
      await waitForText(page, again, false);
      await waitForText(page, end);
      const { draws, longestMs } = await flood();
      process.stdout.write(
        `${host} ${kind} in the ${place}: ${draws} draws, longest task ${longestMs.toFixed(0)} ms of the processor's ` +
          `time; ordinary: ${usual.longestMs.toFixed(0)} ms\n`,
      );
      expect(draws).toBeLessThan(mostDraws);
      expect(longestMs / Math.max(usual.longestMs, leastMs)).toBeLessThan(most);
      if (place === 'mini') return;
      // It still does what it is asked.
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog')).toBeVisible();
    });
  });
}

interface Seen {
  /** How often the page changed what it shows of the talk. */
  readonly draws: number;
  /** The longest that it did nothing else, of the processor's own time. */
  readonly longestMs: number;
}

/** Counts from now on what the page does. */
async function watch(page: Page): Promise<() => Promise<Seen>> {
  await page.evaluate(() => {
    const seen = { draws: 0 };
    Reflect.set(window, 'seenOfFlood', seen);
    new MutationObserver(() => (seen.draws += 1)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  const longestTask = await traceTasks(page);
  return async () => ({
    longestMs: await longestTask(),
    draws: await page.evaluate(
      () => (Reflect.get(window, 'seenOfFlood') as { draws: number }).draws,
    ),
  });
}

/** Looked for by the page itself, and seldom: a locator reads the whole page each time. */
async function waitForText(page: Page, text: RegExp, there = true): Promise<void> {
  await page.waitForFunction(
    ([pattern, wanted]) => {
      const main = document.querySelector('main');
      const words = [...(main?.querySelectorAll('[aria-label]') ?? [])].map((one) => one.ariaLabel);
      const all = `${main?.textContent ?? ''} ${words.join(' ')}`;
      return new RegExp(pattern).test(all) === wanted;
    },
    [text.source, there] as const,
    { polling: 300, ...patient },
  );
}
