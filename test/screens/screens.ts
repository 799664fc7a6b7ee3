import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from '@playwright/test';
import { languageIds } from '../../shared/i18n/languages.ts';
import { pseudoId } from '../gallery/add-pseudo-language.ts';
import { openGallery } from '../e2e/fixtures/open-gallery.ts';

const widths = [380, 900, 1500] as const;
const heights = { 380: 760, 900: 680, 1500: 900 } as const;
const themes = ['light', 'dark'] as const;

/** A pattern for file names; PARLEY_SCREENS limits the run to them. */
const only = new RegExp(process.env['PARLEY_SCREENS'] ?? '');
/** Uses only the pseudo language, whose texts are long and accented. */
const pseudo = process.env['PARLEY_PSEUDO'] === '1';
const languages = pseudo ? [pseudoId] : languageIds;
/** Text size in percent; other sizes than 100 have their own file names. */
const textSize = Number(process.env['PARLEY_TEXT'] ?? 100);
const ending = textSize === 100 ? 'png' : `text-${textSize}.png`;

test('every state in both themes, every language and three widths', async () => {
  const folder = resolve('screens');
  if (process.env['PARLEY_SCREENS'] === undefined)
    await rm(folder, { recursive: true, force: true });
  const { page, close } = await openGallery({ pseudo });
  try {
    const states = await page.evaluate(() => window.gallery?.states ?? []);
    for (const width of widths) {
      await page.setViewportSize({ width, height: heights[width] });
      for (const theme of themes) {
        for (const language of languages) {
          for (const state of states) {
            const name = `${state}.${theme}.${language}.${width}.${ending}`;
            if (!only.test(name)) continue;
            await page.evaluate(
              ([state, theme, language, textSize]) =>
                window.gallery?.show(state, theme, language, textSize),
              [state, theme, language, textSize] as const,
            );
            const size = await page.evaluate((state) => window.gallery?.sizeOf(state), state);
            if (size !== undefined) await page.setViewportSize({ width, height: size.height });
            await page.screenshot({ path: join(folder, name) });
            if (size !== undefined) await page.setViewportSize({ width, height: heights[width] });
          }
        }
      }
    }
  } finally {
    await close();
  }
});
