import { failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { StateFile } from '../../shared/ports/files.ts';

/** A file in memory. Two files with the same `disk` are two processes of Parley. */
export class FakeStateFile implements StateFile {
  readonly #disk: Map<string, string>;
  readonly #name: string;
  writeFailure: Failure | undefined;
  readFailure: Failure | undefined;
  writes = 0;
  whileWriting: (() => void) | undefined;

  constructor(disk = new Map<string, string>(), name = 'settings') {
    this.#disk = disk;
    this.#name = name;
  }

  readonly read = (): Outcome<string | undefined> =>
    this.readFailure ?? { ok: true, value: this.#disk.get(`${this.#name}.json`) };

  write = async (text: string): Promise<Outcome<undefined>> => {
    this.writes += 1;
    await Promise.resolve();
    this.whileWriting?.();
    if (this.writeFailure !== undefined) return this.writeFailure;
    this.#disk.set(`${this.#name}.json`, text);
    return { ok: true, value: undefined };
  };

  readonly backUp = (): Outcome<string> => {
    const text = this.#disk.get(`${this.#name}.json`);
    if (text === undefined) return failure('fileGone', { path: `${this.#name}.json` });
    let number = 1;
    while (this.#disk.has(`${this.#name}.damaged-${number}.json`)) number += 1;
    const backup = `${this.#name}.damaged-${number}.json`;
    this.#disk.set(backup, text);
    return { ok: true, value: backup };
  };
}
