import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { icnsOf, icoOf, iconSizes, iconSource } from './lib/icon-drawing.mjs';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { platforms, signs, trayIcon } from './lib/tray-drawing.mjs';

// Makes of resources/icon.svg every picture of Parley anew: those of window and package in resources/icons, those of the
// tray, the page's own. The product never runs this: it only reads what was made once.

/**
 * @param {string} svg
 * @param {number} pixels
 * @returns {Promise<Buffer>}
 */
const pngOf = (svg, pixels) =>
  // So many dots to the inch that a square of 64 is drawn at its size, and not made smaller or larger afterwards.
  sharp(Buffer.from(svg), { density: (72 * pixels) / 64 })
    .resize(pixels, pixels)
    .png({ compressionLevel: 9 })
    .toBuffer();

const makeIcons = async () => {
  const folder = inRoot('resources', 'icons');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pictures = [];
  for (const size of iconSizes) {
    const png = await pngOf(iconSource, size);
    writeFileSync(join(folder, `${size}x${size}.png`), png);
    pictures.push({ size, png });
  }
  const small = pictures.filter(({ size }) => size <= 256);
  writeFileSync(inRoot('resources', 'icon.ico'), icoOf(small));
  writeFileSync(inRoot('resources', 'icon.icns'), icnsOf(pictures));
  copyFileSync(inRoot('resources', 'icon.svg'), inRoot('renderer', 'public', 'mark.svg'));
};

const makeTrayIcons = async () => {
  for (const [platform, { size, scales, sets }] of Object.entries(platforms)) {
    rmSync(inRoot('resources', 'tray', platform), { recursive: true, force: true });
    for (const [set, inks] of Object.entries(sets)) {
      const folder = inRoot('resources', 'tray', platform, set);
      mkdirSync(folder, { recursive: true });
      for (const sign of signs) {
        for (const scale of scales) {
          const pixels = Math.round(size * scale);
          const suffix = scale === 1 ? '' : `@${scale}x`;
          const png = await pngOf(trayIcon(sign, inks), pixels);
          writeFileSync(join(folder, `${sign}${suffix}.png`), png);
        }
      }
    }
  }
};

await main(async () => {
  await makeIcons();
  await makeTrayIcons();
  say(`The icons are in ${inRoot('resources')}.`);
});
