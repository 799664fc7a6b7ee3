import { chmod, link, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { compareVersions, isVersion } from '../../../shared/updates/update-feed.ts';
import { orFailure, removePath, renameFile } from '../files/atomic-files.ts';

/** Where the program is installed, and updates replace it. The running program does not change. */
export interface UpdatePlace {
  /** The newest stored version that is older than the running one. */
  readonly previous: () => Promise<string | undefined>;
  /** Installs a downloaded file and keeps the running version next to it. */
  readonly replace: (file: string) => Promise<Outcome<undefined>>;
  /** Installs a stored version again. */
  readonly putBack: (version: string) => Promise<Outcome<undefined>>;
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

  readonly replace = (file: string): Promise<Outcome<undefined>> =>
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

  readonly putBack = async (version: string): Promise<Outcome<undefined>> => {
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
