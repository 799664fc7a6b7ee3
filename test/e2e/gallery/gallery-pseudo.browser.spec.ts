import type { Page } from '@playwright/test';
import { pseudoId } from '../../gallery/add-pseudo-language.ts';
import { expect, test } from '../fixtures/gallery-test.ts';
import { allowedTexts, listTexts, findUnaccented } from '../fixtures/pages/unaccented-texts.ts';

test.use({ pseudo: true });

test('every text of every state is translated and fits in a third language', async ({
  page,
  show,
  states,
}) => {
  test.setTimeout(300_000);
  const hardCoded = new Map<string, string>();
  const tooLong: string[] = [];
  for (const state of states) {
    await page.setViewportSize({ width: 900, height: 680 });
    await show(state, { language: pseudoId });
    for (const text of findUnaccented(await listTexts(page), allowedTexts)) {
      if (!hardCoded.has(text)) hardCoded.set(text, state);
    }
    for (const width of [320, 380, 450, 640, 900, 1500]) {
      await page.setViewportSize({ width, height: 680 });
      tooLong.push(...(await cutTexts(page)).map((what) => `${state} at ${width}: ${what}`));
    }
  }
  expect.soft([...hardCoded].map(([text, state]) => `${state}: ${text}`)).toEqual([]);
  expect.soft(tooLong).toEqual([]);
});

/** Pages wider than their window, and controls whose text is cut. */
const cutTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = scrollWidth > clientWidth ? [`the page, by ${scrollWidth - clientWidth}`] : [];
    const named = document.querySelectorAll('button, summary, [role="option"], legend, .row-name');
    const cut = [...named].filter((element) => {
      const boxed = element.clientWidth > 2 && element.checkVisibility();
      return boxed && element.scrollWidth > element.clientWidth + 1;
    });
    return [...wide, ...cut.map(({ textContent }) => textContent)];
  });
