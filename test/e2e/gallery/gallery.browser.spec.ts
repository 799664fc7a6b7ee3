import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { expect, test } from '../fixtures/gallery-test.ts';

/** The rules that depend on the theme. */
const colourRules: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

async function injectAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
}

function axeViolations(page: Page, what: 'all' | 'colours'): Promise<readonly string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(what === 'all' ? {} : colourRules),
  };
  return page.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    );
  }, options);
}

/** 320 is the width of a page in a window of 640 pixels at 200 % zoom. */
const smallWindows = [
  { width: 320, height: 600 },
  { width: 450, height: 340 },
  { width: 380, height: 760 },
] as const;

test('every state passes axe in both themes, fits small windows, and grows with its text', async ({
  page,
  show,
  states,
}) => {
  test.setTimeout(600_000);
  const barriers: string[] = [];
  const tooSmall: string[] = [];
  const tooWide: string[] = [];
  const restyle = async (theme: 'light' | 'dark', textSize = 100): Promise<void> => {
    await page.evaluate(([theme, size]) => window.gallery?.restyle(theme, size), [
      theme,
      textSize,
    ] as const);
  };
  // All checks run in one pass, because showing a state is the slow part.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await injectAxe(page);
  for (const state of states) {
    await page.setViewportSize({ width: 900, height: 680 });
    await show(state);
    for (const [theme, what] of [
      ['light', 'all'],
      ['dark', 'colours'],
    ] as const) {
      await restyle(theme);
      const found = await axeViolations(page, what);
      barriers.push(...found.map((barrier) => `${state}, ${theme}: ${barrier}`));
    }
    for (const size of smallWindows) {
      await page.setViewportSize(size);
      if ((await overflow(page)) > 0) tooWide.push(`${state} at ${size.width}`);
    }
    tooSmall.push(...(await smallTargets(page)).map((element) => `${state}: ${element}`));
    await page.setViewportSize({ width: 640, height: 600 });
    await restyle('light', 200);
    if ((await overflow(page)) > 0) tooWide.push(`${state} with text of twice its size`);
  }
  expect.soft(barriers).toEqual([]);
  expect.soft(tooWide).toEqual([]);
  expect.soft(tooSmall).toEqual([]);
});

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, summary, [role="option"]')].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      return element.checkVisibility() && Math.min(width, height) < 43.9 ? [element.outerHTML] : [];
    }),
  );
