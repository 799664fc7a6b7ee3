import { existsSync } from 'node:fs';
import { app } from 'electron';

/** By which Linux shows one, whoever made it; a system within Windows has the third. */
const devices = ['/dev/dri', '/dev/nvidia0', '/dev/dxg', '/dev/mali0', '/dev/kgsl-3d0'];

/** Elsewhere there always is one. */
export function hasGraphicsCard(
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform !== 'linux' || devices.some((path) => exists(path));
}

/** The engine looks for none, which takes it a tenth of a second and a process that fails where there is none. */
export function leaveGraphicsCard(): void {
  try {
    app.disableHardwareAcceleration();
  } catch {
    // Run from its sources Electron may be ready before Parley's first line, and then it is too late.
  }
}
