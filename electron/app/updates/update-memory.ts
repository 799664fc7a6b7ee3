import { z } from 'zod';
import type { StateFile } from '../../../shared/ports/files.ts';
import { isVersion } from '../../../shared/updates/update-feed.ts';

const versionRule = z.string().refine(isVersion);

const memoryRule = z.object({
  /** Random position in a staged rollout, from 0 up to 1. It is never sent. */
  rolloutPosition: z.number().min(0).lt(1),
  /** Date of the newest accepted feed; an older feed is a replay. */
  lastIssuedAt: z.string().default(''),
  checkedAt: z.number().optional(),
  /** The version installed last. If an older one runs, the user rolled back. */
  installedVersion: versionRule.optional(),
  notifiedVersion: versionRule.optional(),
});

/**
 * The values that the updater stores between runs. Without them it checks once more, draws a new rollout position,
 * accepts a replayed older feed, and offers again a version that the user rolled back.
 */
type UpdateMemory = Readonly<z.infer<typeof memoryRule>>;

/** Parses the stored memory, or starts empty if it cannot be read. */
export function readUpdateMemory(text: string | undefined, rolloutPosition: number): UpdateMemory {
  try {
    return memoryRule.parse(JSON.parse(text ?? ''));
  } catch {
    return { rolloutPosition, lastIssuedAt: '' };
  }
}

/** Stores the memory in a file. Failed writes are not reported. */
export class UpdateMemoryStore {
  readonly #file: StateFile;
  #memory: UpdateMemory;
  #written: Promise<unknown> = Promise.resolve();

  constructor(file: StateFile, random: number) {
    this.#file = file;
    const read = file.read();
    this.#memory = readUpdateMemory(read.ok ? read.value : undefined, random);
  }

  get now(): UpdateMemory {
    return this.#memory;
  }

  change(changes: Partial<UpdateMemory>): void {
    this.#memory = { ...this.#memory, ...changes };
    const text = `${JSON.stringify(this.#memory)}\n`;
    this.#written = this.#written.then(() => this.#file.write(text));
  }

  async settled(): Promise<void> {
    await this.#written;
  }
}
