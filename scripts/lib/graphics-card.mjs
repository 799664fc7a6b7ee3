import { existsSync } from 'node:fs';

/** By which Linux shows one; the same in electron/hosts/desktop/begin-start.ts. */
export const graphicsDevices = [
  '/dev/dri',
  '/dev/nvidia0',
  '/dev/dxg',
  '/dev/mali0',
  '/dev/kgsl-3d0',
];

/**
 * What the window is started with where no card draws. Run from its sources Parley's first line comes after Electron has made up
 * its mind, so that it has to be told from outside.
 * @param {NodeJS.Platform} [platform]
 * @param {(path: string) => boolean} [exists]
 * @returns {{ flags: string[], env: Readonly<Record<string, string>> }}
 */
export const withoutGraphicsCard = (platform = process.platform, exists = existsSync) => {
  if (platform !== 'linux' || graphicsDevices.some((path) => exists(path))) {
    return { flags: [], env: {} };
  }
  return {
    flags: ['--disable-gpu', '--disable-software-rasterizer'],
    // Taken out again by main before it starts anything.
    env: { GDK_GL: 'disable' },
  };
};
