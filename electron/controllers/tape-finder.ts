import { failure } from '../../shared/errors/app-error.ts';
import type { ReplayExample } from '../../shared/replay/replay-view.ts';
import type { DataFolder } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { LoadedTape } from '../recorder/recording/load-tape.ts';

interface Deps {
  readonly loadTapeAt: (path: string) => Promise<Outcome<LoadedTape>>;
  readonly folder: Pick<DataFolder, 'path' | 'names'>;
  readonly exampleAt: (name: ReplayExample) => string;
}

/** Where tapes are found: among those that are kept, among those that ship, and where a person points. */
export class TapeFinder {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Only what lies there: a name leads nowhere else. */
  async kept(name: string): Promise<Outcome<LoadedTape>> {
    const { folder } = this.#deps;
    const names = await folder.names();
    if (!names.ok) return names;
    return names.value.includes(name)
      ? this.atPath(`${folder.path}/${name}`)
      : failure('replayTapeGone');
  }

  /** Of one that lies among those that are kept. */
  nameOf(path: string): string | undefined {
    const before = `${this.#deps.folder.path}/`;
    const name = path.startsWith(before) ? path.slice(before.length) : '';
    return name === '' || name.includes('/') ? undefined : name;
  }

  example(name: ReplayExample): Promise<Outcome<LoadedTape>> {
    return this.atPath(this.#deps.exampleAt(name));
  }

  atPath(path: string): Promise<Outcome<LoadedTape>> {
    return this.#deps.loadTapeAt(path);
  }
}
