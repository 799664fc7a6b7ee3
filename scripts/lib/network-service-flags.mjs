/**
 * Launch flags that run Chromium's network service in the browser process on Linux, where a separate process would have
 * no sandbox. An unpackaged Parley gets them from outside, because Electron reads them before Parley's first line runs.
 * A packaged Parley sets them in electron/hosts/desktop/begin-start.ts.
 * @param {NodeJS.Platform} [platform]
 * @returns {string[]}
 */
export const networkServiceFlags = (platform = process.platform) =>
  platform === 'linux' ? ['--enable-features=NetworkServiceInProcess2'] : [];
