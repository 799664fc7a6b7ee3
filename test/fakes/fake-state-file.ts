import { failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { JournalFile, StateFile } from '../../shared/ports/files.ts';

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

  readonly setAside = (): Outcome<string> => {
    const text = this.#disk.get(`${this.#name}.json`);
    if (text === undefined) return failure('fileGone', { path: `${this.#name}.json` });
    let number = 1;
    while (this.#disk.has(`${this.#name}.damaged-${number}.json`)) number += 1;
    const backup = `${this.#name}.damaged-${number}.json`;
    this.#disk.set(backup, text);
    return { ok: true, value: backup };
  };
}

/** Journals of this process and of earlier ones, in memory. */
export class FakeJournalFile implements JournalFile {
  text: string | undefined;
  earlierTexts: readonly string[] = [];
  full = false;

  readonly write: JournalFile['write'] = async (text) => {
    await Promise.resolve();
    if (this.full) return failure('diskFull', { path: 'journal' });
    this.text = text;
    return { ok: true, value: undefined };
  };

  readonly remove = async (): Promise<void> => {
    await Promise.resolve();
    this.text = undefined;
  };

  readonly readStale = async (): Promise<readonly string[]> => {
    await Promise.resolve();
    return this.earlierTexts;
  };

  readonly removeStale = async (): Promise<void> => {
    await Promise.resolve();
    this.earlierTexts = [];
  };
}
