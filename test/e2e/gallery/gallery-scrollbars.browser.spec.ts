import { chromium } from '@playwright/test';
import { findChromium } from '../../../scripts/lib/test-tools.mjs';
import { waitForPaint } from '../fixtures/pages/waits.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

/** Headless engines hide scrollbars, so this test starts one that shows them. */
test('no content shifts when a scrollbar appears or disappears', async ({ gallery, states }) => {
  test.setTimeout(300_000);
  const found = findChromium();
  if ('reason' in found) throw new Error(`No browser to test in: ${found.reason}`);
  const browser = await chromium.launch({
    executablePath: found.executable,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 680 } });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(gallery.page.url());
    await page.waitForFunction(() => window.gallery !== undefined);
    expect(await page.evaluate(scrollbarWidth), 'a scrollbar has a width here').toBeGreaterThan(0);
    const moved = new Map<string, string>();
    const looked = new Set<string>();
    for (const state of states) {
      await page.evaluate((state) => window.gallery?.show(state, 'light', 'en', 100), state);
      await waitForPaint(page);
      const { names, shifted } = await page.evaluate(shiftsByScrollbars, [...looked]);
      for (const name of names) looked.add(name);
      for (const name of shifted) moved.set(name, state);
    }
    test
      .info()
      .annotations.push({ type: 'measured', description: `${looked.size} places that scroll` });
    expect(looked.size).toBeGreaterThan(5);
    expect([...moved]).toEqual([]);
  } finally {
    await browser.close();
  }
});

function scrollbarWidth(): number {
  const box = document.createElement('div');
  Object.assign(box.style, { width: '100px', height: '100px', overflow: 'scroll' });
  document.body.append(box);
  const width = box.offsetWidth - box.clientWidth;
  box.remove();
  return width;
}

/** Runs in the page: measures each scrolling element without and with a scrollbar. */
function shiftsByScrollbars(before: readonly string[]): {
  readonly names: readonly string[];
  readonly shifted: readonly string[];
} {
  const names: string[] = [];
  const shifted: string[] = [];
  const seen = new Set(before);
  for (const place of document.querySelectorAll<HTMLElement>('*')) {
    const { overflowY, display } = getComputedStyle(place);
    if (!['auto', 'scroll'].includes(overflowY) || display.startsWith('inline')) continue;
    if (!place.checkVisibility() || place.matches('textarea, pre, html, body')) continue;
    // A menu is laid out each time it opens.
    if (place.matches('[role="menu"]')) continue;
    const name = place.className === '' ? place.tagName.toLowerCase() : place.className;
    if (seen.has(name)) continue;
    seen.add(name);
    names.push(name);
    const room = (): number => place.clientWidth;
    const { overflow } = place.style;
    place.style.overflowY = 'hidden';
    // Hidden overflow keeps the gutter.
    const without = room();
    place.style.overflowY = 'scroll';
    const withBar = room();
    place.style.overflow = overflow;
    if (Math.abs(without - withBar) > 0.5) shifted.push(`${name}: ${without} and ${withBar} wide`);
  }
  return { names, shifted };
}
