import { existsSync } from 'node:fs';

/** Device files that show a graphics card on Linux. Keep in step with electron/hosts/desktop/begin-start.ts. */
export const graphicsDevices = [
  '/dev/dri',
  '/dev/nvidia0',
  '/dev/dxg',
  '/dev/mali0',
  '/dev/kgsl-3d0',
];

/**
 * Launch options for machines without a graphics card. An unpackaged Parley gets them from outside, because Electron has
 * chosen its renderer before Parley's first line runs.
 * @param {NodeJS.Platform} [platform]
 * @param {(path: string) => boolean} [exists]
 * @returns {{ flags: string[], env: Readonly<Record<string, string>> }}
 */
export const noGraphicsCardOptions = (platform = process.platform, exists = existsSync) => {
  if (platform !== 'linux' || graphicsDevices.some((path) => exists(path))) {
    return { flags: [], env: {} };
  }
  return {
    flags: ['--disable-gpu', '--disable-software-rasterizer'],
    // The main process removes this variable before it starts other programs.
    env: { GDK_GL: 'disable' },
  };
};

/**
 * Launch flags that run Chromium's network service in the browser process on Linux, where a separate process would have
 * no sandbox. An unpackaged Parley gets them from outside, because Electron reads them before Parley's first line runs.
 * A packaged Parley sets them in electron/hosts/desktop/begin-start.ts.
 * @param {NodeJS.Platform} [platform]
 * @returns {string[]}
 */
export const networkServiceFlags = (platform = process.platform) =>
  platform === 'linux' ? ['--enable-features=NetworkServiceInProcess2'] : [];
