import type { StateFile } from '../../electron/ports/files.ts';
import type { Outcome } from '../../electron/ports/outcome.ts';

/** A file in memory; two of the same `disk` are what two Parleys see. */
export class FakeStateFile implements StateFile {
  readonly #disk: Map<string, string>;
  readonly #name: string;
  /** Every write fails with this while it stands. */
  writeProblem: string | undefined;
  readProblem: string | undefined;
  writes = 0;
  /** What happens while a write is under way. */
  whileWriting: (() => void) | undefined;

  constructor(disk = new Map<string, string>(), name = 'settings') {
    this.#disk = disk;
    this.#name = name;
  }

  readonly read = (): Outcome<string | undefined> =>
    this.readProblem === undefined
      ? { ok: true, value: this.#disk.get(`${this.#name}.json`) }
      : { ok: false, problem: this.readProblem };

  readonly write = async (text: string): Promise<Outcome<undefined>> => {
    this.writes += 1;
    await Promise.resolve();
    this.whileWriting?.();
    if (this.writeProblem !== undefined) return { ok: false, problem: this.writeProblem };
    this.#disk.set(`${this.#name}.json`, text);
    return { ok: true, value: undefined };
  };

  readonly setAside = (): Outcome<string> => {
    const text = this.#disk.get(`${this.#name}.json`);
    if (text === undefined) return { ok: false, problem: `There is no ${this.#name}.json.` };
    let number = 1;
    while (this.#disk.has(`${this.#name}.damaged-${number}.json`)) number += 1;
    const aside = `${this.#name}.damaged-${number}.json`;
    this.#disk.set(aside, text);
    return { ok: true, value: aside };
  };
}
