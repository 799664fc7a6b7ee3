import { readUpdateMemory } from '../../shared/updates/update-memory.ts';
import type { UpdateMemory } from '../../shared/updates/update-memory.ts';
import type { StateFile } from '../ports/files.ts';

/** What is remembered of updates. One that cannot be written costs another check, and nobody's attention. */
export class UpdateMemoryStore {
  readonly #file: StateFile;
  #memory: UpdateMemory;
  #written: Promise<unknown> = Promise.resolve();

  constructor(file: StateFile, dice: number) {
    this.#file = file;
    const read = file.read();
    this.#memory = readUpdateMemory(read.ok ? read.value : undefined, dice);
  }

  get now(): UpdateMemory {
    return this.#memory;
  }

  readonly change = (part: Partial<UpdateMemory>): void => {
    this.#memory = { ...this.#memory, ...part };
    const text = `${JSON.stringify(this.#memory)}\n`;
    this.#written = this.#written.then(() => this.#file.write(text));
  };

  readonly settled = async (): Promise<void> => {
    await this.#written;
  };
}
