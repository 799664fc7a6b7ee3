import { z } from 'zod';
import { type AppError, isAppError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import { isVersion, type UpdatePlace } from '../../../shared/updates/update-feed.ts';

const versionRule = z.string().refine(isVersion);

const memoryRule = z.object({
  /** Where this installation stands among all, from 0 up to 1: for handing out step by step. It is sent to nobody. */
  share: z.number().min(0).lt(1),
  /** When the newest feed was signed that was believed; an older one is a replay. */
  issuedBefore: z.string().default(''),
  checkedAt: z.number().optional(),
  /** The version that the person went back from. */
  leftBehind: versionRule.optional(),
  /** The version that was told of. */
  told: versionRule.optional(),
  /** What is new in the version that waits for its place. */
  notes: z.record(z.string(), z.string()).default({}),
  /** Why it did not get its place. */
  failed: z.custom<AppError>(isAppError).optional().catch(undefined),
});

/** What is remembered of updates; losing it costs no more than a check. */
type UpdateMemory = Readonly<z.infer<typeof memoryRule>>;

/** What was written, or a new beginning where that cannot be read. */
export function readUpdateMemory(text: string | undefined, share: number): UpdateMemory {
  try {
    return memoryRule.parse(JSON.parse(text ?? ''));
  } catch {
    return { share, issuedBefore: '', notes: {} };
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

  readonly change = (part: Partial<UpdateMemory>): void => {
    this.#memory = { ...this.#memory, ...part };
    const text = `${JSON.stringify(this.#memory)}\n`;
    this.#written = this.#written.then(() => this.#file.write(text));
  };

  readonly settled = async (): Promise<void> => {
    await this.#written;
  };
}

/**
 * Puts the version before in place. One that waits is left behind, too: at the next end of Parley it would take the place of
 * what a person has just chosen.
 */
export async function goBack(
  place: UpdatePlace,
  memory: UpdateMemoryStore,
  running: string,
): Promise<Outcome<undefined>> {
  const { next } = await place.find();
  const swapped = await place.swap('previous');
  if (!swapped.ok) return swapped;
  if (next !== undefined) await place.drop();
  // It is offered again to who asks only.
  memory.change({ leftBehind: next ?? running });
  return swapped;
}
