/** What of this system decides where keys can be heard. */
export interface KeySystem {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Under Wayland X is there for old programs, and hears only the keys that are meant for those. */
export function isWayland({ platform, environment }: KeySystem): boolean {
  if (platform !== 'linux') return false;
  return isSet(environment['WAYLAND_DISPLAY']) || environment['XDG_SESSION_TYPE'] === 'wayland';
}

/** Whether a program may hear and take keys here that are meant for others. */
export function opensItsKeys(system: KeySystem): boolean {
  const { platform, environment } = system;
  if (platform === 'darwin' || platform === 'win32') return true;
  return platform === 'linux' && isSet(environment['DISPLAY']) && !isWayland(system);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
