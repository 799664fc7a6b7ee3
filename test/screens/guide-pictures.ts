import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from '@playwright/test';
import sharp from 'sharp';
import { languageIds } from '../../shared/i18n/languages.ts';
import { openGallery } from '../e2e/fixtures/open-gallery.ts';

/** The guide's pictures, and the gallery state in each. */
const pictures = {
  first: 'first-heard',
  begin: 'idle-used',
  interrupt: 'live-both',
  sound: 'settings-sound',
  keys: 'settings-keys',
  camera: 'live-seen',
  chat: 'chat-full',
  tools: 'chat-tool-question',
  voices: 'settings-voices',
  memory: 'settings-memory-asked',
  computer: 'computer-missing',
  server: 'settings-servers-tested',
  kept: 'history-talk',
  replay: 'replay-pictures',
  mini: 'mini-live-parley',
  trouble: 'ended-unreached',
} as const;

const size = { width: 900, height: 600 };
const miniSize = { width: 420, height: 280 };

test('the pictures of the guide', async () => {
  const { page, close } = await openGallery();
  try {
    for (const language of languageIds) {
      const folder = resolve('docs/guide/pictures', language);
      await mkdir(folder, { recursive: true });
      for (const [name, state] of Object.entries(pictures)) {
        await page.setViewportSize(name === 'mini' ? miniSize : size);
        await page.evaluate(
          ([state, language]) => window.gallery?.show(state, 'light', language, 100),
          [state, language] as const,
        );
        const shot = await page.screenshot();
        await writeFile(
          join(folder, `${name}.webp`),
          await sharp(shot).webp({ quality: 82 }).toBuffer(),
        );
      }
    }
  } finally {
    await close();
  }
});
