import { chmod, link, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { compareVersions, isVersion } from '../../../shared/updates/update-feed.ts';
import { orFailure, removePath, renameFile } from '../files/atomic-files.ts';

/** Where Parley lies, and may replace itself. What runs is not touched by it. */
export interface UpdatePlace {
  /** The version before the one that runs, where it was kept. */
  readonly previous: () => Promise<string | undefined>;
  /** Puts a fetched file in place, and keeps the version that runs beside it. */
  readonly replace: (file: string) => Promise<Outcome<undefined>>;
  /** Puts a version in place again that was kept. */
  readonly putBack: (version: string) => Promise<Outcome<undefined>>;
}

/** The one file of an AppImage. What runs reads the old file to its end, whatever the name leads to meanwhile. */
export class AppImage implements UpdatePlace {
  readonly #path: string;
  readonly #running: string;

  constructor(path: string, running: string) {
    this.#path = path;
    this.#running = running;
  }

  /** For downloads: on the same disk, so that one rename puts them in place. */
  get downloads(): string {
    return `${this.#path}.download`;
  }

  readonly previous = async (): Promise<string | undefined> => {
    const versions = await this.#kept();
    return versions.find((version) => compareVersions(version, this.#running) < 0);
  };

  readonly replace = (file: string): Promise<Outcome<undefined>> =>
    orFailure(this.#path, async () => {
      const versions = await this.#kept();
      for (const version of versions)
        if (version !== this.#running) await removePath(this.#keptPath(version));
      await chmod(file, 0o755);
      // A second update before a restart finds the version that runs kept already.
      if (!versions.includes(this.#running)) await link(this.#path, this.#keptPath(this.#running));
      await renameFile(file, this.#path);
      return undefined;
    });

  readonly putBack = async (version: string): Promise<Outcome<undefined>> => {
    const versions = await this.#kept();
    if (!versions.includes(version)) return failure('updatePreviousGone');
    return orFailure(this.#path, async () => {
      await renameFile(this.#keptPath(version), this.#path);
      return undefined;
    });
  };

  /** Versions beside this one, the newest first. */
  async #kept(): Promise<readonly string[]> {
    const stem = basename(this.#keptPath(''));
    const names = await readdir(dirname(this.#path)).catch(() => []);
    return names
      .filter((name) => name.startsWith(stem))
      .map((name) => name.slice(stem.length))
      .filter(isVersion)
      .toSorted((one, other) => compareVersions(other, one));
  }

  #keptPath(version: string): string {
    return `${this.#path}.previous-${version}`;
  }
}
