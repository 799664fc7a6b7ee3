import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { openGallery } from './fixtures/open-gallery.ts';
import type { OpenGallery } from './fixtures/open-gallery.ts';

let gallery: OpenGallery;
let page: Page;

test.beforeAll(async () => {
  gallery = await openGallery();
  ({ page } = gallery);
});

test.afterEach(() => {
  expect(gallery.consoleWatch.unexpected(), 'complaints in the console').toEqual([]);
});

test.afterAll(() => gallery.close());

const statesOf = (page: Page) => page.evaluate(() => window.gallery?.states ?? []);

const show = (
  state: string,
  theme: 'light' | 'dark' = 'light',
  language: 'en' | 'zh' = 'en',
  text = 100,
) =>
  page.evaluate(
    ([state, theme, language, text]) => window.gallery?.show(state, theme, language, text),
    [state, theme, language, text] as const,
  );

const overflow = () =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any state, ${theme}`, async () => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width: 900, height: 680 });
    const found: string[] = [];
    for (const state of await statesOf(page)) {
      await show(state, theme, theme === 'dark' ? 'zh' : 'en');
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode()
        .options({ resultTypes: ['violations'] })
        .analyze();
      for (const { id, nodes } of violations) {
        found.push(`${state}: ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
      }
    }
    expect(found).toEqual([]);
  });
}

const small = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, summary, [role="option"]')].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      return element.checkVisibility() && Math.min(width, height) < 43.9 ? [element.outerHTML] : [];
    }),
  );

test('every state fits narrow and low windows, with targets of 44 pixels', async () => {
  test.setTimeout(180_000);
  const wide: string[] = [];
  const tight: string[] = [];
  for (const state of await statesOf(page)) {
    await show(state);
    // 640 by 400 at 200 % zoom is what a page of 320 by 200 sees.
    for (const size of [
      { width: 320, height: 600 },
      { width: 450, height: 340 },
      { width: 380, height: 760 },
    ]) {
      await page.setViewportSize(size);
      if ((await overflow()) > 0) wide.push(`${state} at ${size.width}`);
    }
    tight.push(...(await small()).map((element) => `${state}: ${element}`));
  }
  expect(wide).toEqual([]);
  expect(tight).toEqual([]);
});

test('every state fits a window that is not large, with text of twice its size', async () => {
  test.setTimeout(180_000);
  const wide: string[] = [];
  await page.setViewportSize({ width: 640, height: 600 });
  for (const state of await statesOf(page)) {
    await show(state, 'light', 'en', 200);
    if ((await overflow()) > 0) wide.push(state);
  }
  expect(wide).toEqual([]);
});
