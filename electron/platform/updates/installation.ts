import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

interface Program {
  readonly resources: string;
  readonly file: string;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** How Parley is installed: by a package of the system, as a writable AppImage, or otherwise; then it only announces updates. */
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

/** The file name of the feed, as electron-builder chooses it. */
export function updateFeedName(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return 'latest-mac.yml';
  return platform === 'win32' ? 'latest.yml' : 'latest-linux.yml';
}

/** Whether a package manager installed Parley. deb and rpm packages have a marker file, and stores set a variable. */
function isSystemPackage(resources: string, env: NodeJS.ProcessEnv): boolean {
  const stores = [env['FLATPAK_ID'], env['SNAP']];
  return (
    existsSync(join(resources, 'package-type')) || stores.some((store) => (store ?? '') !== '')
  );
}

/** The path of this AppImage. A program that an AppImage started has its variables, too, but is not in its mount. */
function ownAppImage(file: string, env: NodeJS.ProcessEnv): string | undefined {
  const { APPIMAGE: image = '', APPDIR: mount = '' } = env;
  return image !== '' && mount !== '' && file.startsWith(mount + sep) ? image : undefined;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
