import sharp from 'sharp';
import { waitForPaint } from '../fixtures/pages/wait-for-paint.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

/** Pages on which people choose once: what has to be scrolled there is not seen. */
const fitting = /^(?:first-|export$|export-text$|idle$)/;

test('the first steps and an export fit into a window of 900 by 700', async ({
  gallery: { page },
  states,
}) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 900, height: 700 });
  const scrolls: string[] = [];
  for (const language of ['en', 'zh'] as const)
    for (const state of states.filter((name) => fitting.test(name))) {
      await page.evaluate(
        ([state, language]) => window.gallery?.show(state, 'dark', language, 100),
        [state, language] as const,
      );
      await waitForPaint(page);
      const places = await page.evaluate(() =>
        [...document.querySelectorAll('.first-run, .sheet-body, .stage')]
          .filter((place) => place.scrollHeight > place.clientHeight)
          .map((place) => place.className),
      );
      for (const place of places) scrolls.push(`${state}, ${language}: ${place}`);
    }
  expect(scrolls).toEqual([]);
});

test('the lower edge of a sheet is shaded for as long as there is more below it', async ({
  gallery: { page },
}) => {
  await page.setViewportSize({ width: 900, height: 700 });
  await page.evaluate(() => window.gallery?.show('shortcuts', 'light', 'en', 100));
  await waitForPaint(page);
  const body = page.locator('.sheet-body');
  /** The lightness of the paper right above the edge, beside all that is written, and further up. */
  const edge = async (): Promise<number> => {
    const box = await body.boundingBox();
    if (box === null) throw new Error('no sheet');
    const clip = { x: box.x + 17, y: box.y + box.height - 24, width: 2, height: 24 };
    const picture = await sharp(await page.screenshot({ clip }))
      .greyscale()
      .raw()
      .toBuffer();
    return (picture.at(0) ?? 0) - (picture.at(-1) ?? 0);
  };
  expect(await edge()).toBeGreaterThan(10);
  await body.evaluate((place) => {
    place.scrollTop = place.scrollHeight;
  });
  await waitForPaint(page);
  expect(await edge()).toBe(0);

  await page.evaluate(() => window.gallery?.show('export', 'light', 'en', 100));
  await waitForPaint(page);
  expect(await edge()).toBe(0);
  await page.setViewportSize({ width: 900, height: 420 });
  await waitForPaint(page);
  expect(await edge()).toBeGreaterThan(10);
  await expect(page.getByRole('button', { name: 'Save…' })).toBeInViewport();
});

test('nothing is drawn where recent talks will be, before they are there', async ({
  gallery: { page },
}) => {
  await page.evaluate(() => {
    localStorage.setItem('parley.recent-talks', '3');
  });
  await page.evaluate(() => window.gallery?.show('idle', 'light', 'en', 100));
  const lines = page.locator('.idle-recent li');
  await expect(lines.first()).toBeAttached();
  const colors = await lines.evaluateAll((all) =>
    all.flatMap((line) => {
      const { borderTopColor, borderBottomColor, borderBottomWidth } = getComputedStyle(line);
      return borderBottomWidth === '0px' ? [borderTopColor] : [borderTopColor, borderBottomColor];
    }),
  );
  expect(new Set(colors)).toEqual(new Set(['rgba(0, 0, 0, 0)']));
});
