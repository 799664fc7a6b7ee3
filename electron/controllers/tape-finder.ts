import { failure } from '../../shared/errors/app-error.ts';
import type { ReplayExample } from '../../shared/replay/replay-view.ts';
import type { DataFolder } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { OpenTape } from '../recording/open-tape.ts';

export interface OpenedTape {
  readonly tape: OpenTape;
  /** The folder, or the file that holds all of it. */
  readonly path: string;
  /** Gives back what was opened and unpacked for it. */
  readonly leave: () => Promise<void>;
}

interface Deps {
  readonly loadTape: (folder: string) => Promise<Outcome<OpenTape>>;
  readonly folder: Pick<DataFolder, 'path' | 'list'>;
  readonly examples: string;
  /** The folder of a tape that is one file; it is removed afterwards. */
  readonly unpack: (
    path: string,
  ) => Promise<Outcome<{ readonly folder: string; readonly remove: () => Promise<void> }>>;
}

const nothing = (): Promise<void> => Promise.resolve();

/** Where tapes are found: among those that are kept, among those that ship, and where a person points. */
export class TapeFinder {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Only what lies there: a name leads nowhere else. */
  async kept(name: string): Promise<Outcome<OpenedTape>> {
    const { folder } = this.#deps;
    const items = await folder.list();
    if (!items.ok) return items;
    const known = items.value.some((item) => item.name === name);
    const path = `${folder.path}/${name}`;
    return known ? this.#load(path, path, nothing) : failure('replayTapeGone');
  }

  example(name: ReplayExample): Promise<Outcome<OpenedTape>> {
    return this.atPath(`${this.#deps.examples}/${name}.parleytape`);
  }

  /** The folder of a tape, the file of its lines, or all of it in one file. */
  async atPath(path: string): Promise<Outcome<OpenedTape>> {
    const plain = path.replace(linesFile, '');
    if (!/\.parleytape$/iu.test(path)) return this.#load(plain, plain, nothing);
    const unpacked = await this.#deps.unpack(path);
    if (!unpacked.ok) return unpacked;
    const { folder, remove } = unpacked.value;
    const loaded = await this.#load(path, folder, remove);
    if (!loaded.ok) await remove();
    return loaded;
  }

  async #load(
    path: string,
    folder: string,
    remove: () => Promise<void>,
  ): Promise<Outcome<OpenedTape>> {
    const tape = await this.#deps.loadTape(folder);
    if (!tape.ok) return tape;
    const leave = async (): Promise<void> => {
      tape.value.close();
      await remove();
    };
    return { ok: true, value: { tape: tape.value, path, leave } };
  }
}

const linesFile = /[/\\]tape\.ndjson$/u;
