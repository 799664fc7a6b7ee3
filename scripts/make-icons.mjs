import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import {
  encodeIcns,
  encodeIco,
  iconSizes,
  iconSource,
  platforms,
  trayStates,
  trayIcon,
} from './lib/icon-drawing.mjs';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';

// Regenerates every icon from resources/icon.svg: window, package, tray and page. The product only reads the results.

/**
 * @param {string} svg
 * @param {number} pixels
 * @returns {Promise<Buffer>}
 */
const renderPng = (svg, pixels) =>
  // This density renders the 64-pixel drawing at the target size, without scaling afterwards.
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
    const png = await renderPng(iconSource, size);
    writeFileSync(join(folder, `${size}x${size}.png`), png);
    pictures.push({ size, png });
  }
  const small = pictures.filter(({ size }) => size <= 256);
  writeFileSync(inRoot('resources', 'icon.ico'), encodeIco(small));
  writeFileSync(inRoot('resources', 'icon.icns'), encodeIcns(pictures));
  copyFileSync(inRoot('resources', 'icon.svg'), inRoot('renderer', 'public', 'mark.svg'));
};

const makeTrayIcons = async () => {
  for (const [platform, { size, scales, sets }] of Object.entries(platforms)) {
    rmSync(inRoot('resources', 'tray', platform), { recursive: true, force: true });
    for (const [set, colours] of Object.entries(sets)) {
      const folder = inRoot('resources', 'tray', platform, set);
      mkdirSync(folder, { recursive: true });
      for (const state of trayStates) {
        for (const scale of scales) {
          const pixels = Math.round(size * scale);
          const suffix = scale === 1 ? '' : `@${scale}x`;
          const png = await renderPng(trayIcon(state, colours), pixels);
          writeFileSync(join(folder, `${state}${suffix}.png`), png);
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
