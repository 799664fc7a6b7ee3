import { app } from 'electron';

/** The engine's name for it; the same in scripts/lib/network-within.mjs. */
export const networkWithin = 'NetworkServiceInProcess2';

/**
 * What asks the network for pages works in the main process. Nobody's page asks it for anything here: the own one comes out of the package,
 * and every other address is refused. On Linux its process has no sandbox and all rights of the person, so that it keeps nothing from
 * anybody, and takes 9 MB; elsewhere it has one, and stays.
 */
export function keepNetworkWithin(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'linux') return;
  // Set anew it would take away what a person has switched on.
  const others = app.commandLine.getSwitchValue('enable-features');
  const all = others === '' ? networkWithin : `${others},${networkWithin}`;
  app.commandLine.appendSwitch('enable-features', all);
}
