import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

interface Program {
  readonly resources: string;
  readonly file: string;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** By the system's packages, as a writable AppImage, or as something Parley only announces updates for. */
type Installation =
  | { readonly kind: 'system' }
  | { readonly kind: 'announces'; readonly packageSuffix: string }
  | { readonly kind: 'installs'; readonly packageSuffix: string; readonly image: string };

export function findInstallation(program: Program): Installation {
  const { resources, file } = program;
  const { platform = process.platform, arch = process.arch, env = process.env } = program;
  if (isSystemPackage(resources, env)) return { kind: 'system' };
  if (platform === 'darwin') return { kind: 'announces', packageSuffix: `-mac-${arch}.dmg` };
  if (platform !== 'linux') return { kind: 'announces', packageSuffix: `-win-${arch}.exe` };
  const image = ownAppImage(file, env);
  if (image === undefined) return { kind: 'announces', packageSuffix: `-linux-${arch}.tar.gz` };
  const packageSuffix = `-linux-${arch === 'x64' ? 'x86_64' : arch}.AppImage`;
  return isWritable(dirname(image)) && isWritable(image)
    ? { kind: 'installs', packageSuffix, image }
    : { kind: 'announces', packageSuffix };
}

/** The feed's name, as electron-builder has it. */
export function updateFeedName(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return 'latest-mac.yml';
  return platform === 'win32' ? 'latest.yml' : 'latest-linux.yml';
}

/** deb and rpm packages have a marker file; stores set an environment variable. */
function isSystemPackage(resources: string, env: NodeJS.ProcessEnv): boolean {
  const stores = [env['FLATPAK_ID'], env['SNAP']];
  return (
    existsSync(join(resources, 'package-type')) || stores.some((store) => (store ?? '') !== '')
  );
}

/** A program started by an AppImage inherits its variables without being one. */
function ownAppImage(file: string, env: NodeJS.ProcessEnv): string | undefined {
  const { APPIMAGE: image = '', APPDIR: mounted = '' } = env;
  return image !== '' && mounted !== '' && file.startsWith(mounted + sep) ? image : undefined;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
