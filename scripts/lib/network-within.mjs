/**
 * What the window is started with on Linux, where the engine's process for the network has no sandbox. From its sources Parley's first line
 * comes after Electron has made up its mind, so that it has to be told from outside; in a package main does it itself, see
 * electron/hosts/desktop/begin-start.ts.
 * @param {NodeJS.Platform} [platform]
 * @returns {string[]}
 */
export const networkWithin = (platform = process.platform) =>
  platform === 'linux' ? ['--enable-features=NetworkServiceInProcess2'] : [];
