import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join, sep, basename } from 'node:path';
import { chmod, link, readdir } from 'node:fs/promises';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { compareVersions, isVersion } from '../../../shared/updates/update-feed.ts';
import { orFailure, removePath, renameFile } from '../files/atomic-files.ts';

interface Program {
  readonly resources: string;
  readonly file: string;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * How Parley is installed: `system` by a package manager, `installs` as a writable AppImage, `announces` in any other way.
 * In the last case Parley only tells the user about updates.
 */
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

/** Where the program is installed, and updates replace it. The running program does not change. */
export interface UpdatePlace {
  /** The newest stored version that is older than the running one. */
  readonly previous: () => Promise<string | undefined>;
  /** Installs a downloaded file and keeps only the running version next to it. */
  readonly install: (file: string) => Promise<Outcome<undefined>>;
  /** Installs a stored version again. */
  readonly rollBack: (version: string) => Promise<Outcome<undefined>>;
}

/** An AppImage. The running program reads the old file even after another has its name. */
export class AppImage implements UpdatePlace {
  readonly #path: string;
  readonly #runningVersion: string;

  constructor(path: string, runningVersion: string) {
    this.#path = path;
    this.#runningVersion = runningVersion;
  }

  /** The folder for downloads, on the same disk, so that installing is a rename. */
  get downloads(): string {
    return `${this.#path}.download`;
  }

  readonly previous = async (): Promise<string | undefined> => {
    const versions = await this.#listPrevious();
    return versions.find((version) => compareVersions(version, this.#runningVersion) < 0);
  };

  readonly install = (file: string): Promise<Outcome<undefined>> =>
    orFailure(this.#path, async () => {
      const versions = await this.#listPrevious();
      for (const version of versions)
        if (version !== this.#runningVersion) await removePath(this.#previousPath(version));
      await chmod(file, 0o755);
      // After a second update without a restart, the running version is stored already.
      if (!versions.includes(this.#runningVersion))
        await link(this.#path, this.#previousPath(this.#runningVersion));
      await renameFile(file, this.#path);
      return undefined;
    });

  readonly rollBack = async (version: string): Promise<Outcome<undefined>> => {
    const versions = await this.#listPrevious();
    if (!versions.includes(version)) return failure('updateVersionGone');
    return orFailure(this.#path, async () => {
      await renameFile(this.#previousPath(version), this.#path);
      return undefined;
    });
  };

  async #listPrevious(): Promise<readonly string[]> {
    const stem = basename(this.#previousPath(''));
    const names = await readdir(dirname(this.#path)).catch(() => []);
    return names
      .filter((name) => name.startsWith(stem))
      .map((name) => name.slice(stem.length))
      .filter(isVersion)
      .toSorted((one, other) => compareVersions(other, one));
  }

  #previousPath(version: string): string {
    return `${this.#path}.previous-${version}`;
  }
}
