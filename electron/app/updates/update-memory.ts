import { z } from 'zod';
import type { StateFile } from '../../../shared/ports/files.ts';
import { isVersion } from '../../../shared/updates/update-feed.ts';

const versionRule = z.string().refine(isVersion);

const memoryRule = z.object({
  /** Where this installation stands among all, from 0 up to 1: for handing out step by step. It is sent to nobody. */
  share: z.number().min(0).lt(1),
  /** When the newest feed was signed that was believed; an older one is a replay. */
  issuedBefore: z.string().default(''),
  checkedAt: z.number().optional(),
  /** The version that was put in place last. Where an older one runs, the person went back from it. */
  placed: versionRule.optional(),
  /** The version that was told of. */
  told: versionRule.optional(),
});

/** What is remembered of updates; losing it costs no more than a check. */
type UpdateMemory = Readonly<z.infer<typeof memoryRule>>;

/** What was written, or a new beginning where that cannot be read. */
export function readUpdateMemory(text: string | undefined, share: number): UpdateMemory {
  try {
    return memoryRule.parse(JSON.parse(text ?? ''));
  } catch {
    return { share, issuedBefore: '' };
  }
}

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

  change(part: Partial<UpdateMemory>): void {
    this.#memory = { ...this.#memory, ...part };
    const text = `${JSON.stringify(this.#memory)}\n`;
    this.#written = this.#written.then(() => this.#file.write(text));
  }

  async settled(): Promise<void> {
    await this.#written;
  }
}
