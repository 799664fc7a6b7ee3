import type { DataFolder } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';

interface Deps {
  /** A folder of its own for each kind. */
  readonly folder: DataFolder;
  /** On how many days Parley has run. */
  readonly days: () => number;
}

/** Days on which Parley ran, so that no clock can empty it. */
const keptDays = 7;

/** What was removed by itself, for a while longer: by hand it can be had back. */
export class Trash {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Takes one out of the folder that it is in. */
  async put(from: DataFolder, name: string): Promise<Outcome<undefined>> {
    const { folder, days } = this.#deps;
    const made = await folder.make();
    return made.ok ? from.move(name, `${folder.path}/${days()}-${name}`) : made;
  }

  /** For good, what has been here for long enough. */
  async tidy(): Promise<Outcome<undefined>> {
    const { folder, days } = this.#deps;
    const names = await folder.names();
    if (!names.ok) return names;
    const old = names.value.filter((name) => days() - dayIn(name) >= keptDays);
    const removed = await Promise.all(old.map((name) => folder.remove(name)));
    return removed.find(({ ok }) => !ok) ?? { ok: true, value: undefined };
  }
}

/** What somebody has put there by hand stays. */
function dayIn(name: string): number {
  const day = /^(\d+)-/u.exec(name)?.[1];
  return day === undefined ? Infinity : Number(day);
}
