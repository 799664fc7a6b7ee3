import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { platforms, signs, trayIcon } from './lib/tray-drawing.mjs';

// Makes resources/tray anew. The product never runs this: it only reads what was made once.

await main(async () => {
  for (const [platform, { size, scales, sets }] of Object.entries(platforms)) {
    rmSync(inRoot('resources', 'tray', platform), { recursive: true, force: true });
    for (const [set, inks] of Object.entries(sets)) {
      const folder = inRoot('resources', 'tray', platform, set);
      mkdirSync(folder, { recursive: true });
      for (const sign of signs) {
        for (const scale of scales) {
          const pixels = Math.round(size * scale);
          const drawing = Buffer.from(trayIcon(sign, inks, pixels));
          const png = await sharp(drawing).png({ compressionLevel: 9 }).toBuffer();
          const suffix = scale === 1 ? '' : `@${scale}x`;
          writeFileSync(join(folder, `${sign}${suffix}.png`), png);
        }
      }
    }
  }
  say(`The icons are in ${inRoot('resources', 'tray')}.`);
});
