import { existsSync } from 'node:fs';
import { app } from 'electron';

/** By which Linux shows one, whoever made it; a system within Windows has the third. The same in scripts/lib/graphics-card.mjs. */
export const graphicsDevices = [
  '/dev/dri',
  '/dev/nvidia0',
  '/dev/dxg',
  '/dev/mali0',
  '/dev/kgsl-3d0',
];

/** Elsewhere there always is one. */
export function hasGraphicsCard(
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform !== 'linux' || graphicsDevices.some((path) => exists(path));
}

/**
 * The engine looks for none, which takes it a tenth of a second and a process that fails where there is none. Nor does it
 * load one that is made of the processor, for drawings in three dimensions, of which Parley has none.
 */
export function leaveGraphicsCard(): void {
  // Read by the engine at the first word about its card, which is the next one.
  app.commandLine.appendSwitch('disable-software-rasterizer');
  try {
    app.disableHardwareAcceleration();
  } catch {
    // Run from its sources Electron may be ready before Parley's first line; `npm start` has said it already.
  }
  void leaveToolkitCard();
}

/**
 * The toolkit of the system's boxes asks the screen what it could draw in three dimensions, and where nothing on that screen has
 * asked before, loads a driver for it: without a card 45 MB of compiler, into the main process. What Parley starts later is
 * told nothing of it.
 */
async function leaveToolkitCard(): Promise<void> {
  if (process.platform !== 'linux') return;
  process.env['GDK_GL'] ??= toolkitWithoutCard;
  await app.whenReady();
  // What a person has set otherwise is theirs.
  if (process.env['GDK_GL'] === toolkitWithoutCard) delete process.env['GDK_GL'];
}

const toolkitWithoutCard = 'disable';
