import { z } from 'zod';
import type { StateFile } from '../../../shared/ports/files.ts';
import { isVersion } from '../../../shared/updates/update-feed.ts';

const versionRule = z.string().refine(isVersion);

const stateRule = z.object({
  /** Random position in a staged rollout, from 0 up to 1. It is never sent. */
  rolloutPosition: z.number().min(0).lt(1),
  /** Date of the newest accepted feed; an older feed may be an attacker's copy. */
  lastIssuedAt: z.string().default(''),
  checkedAt: z.number().optional(),
  /** The version installed last. If an older one runs, the user rolled back. */
  installedVersion: versionRule.optional(),
  notifiedVersion: versionRule.optional(),
});

/**
 * The values that the updater stores between runs. Without them it checks once more, draws a new rollout position,
 * accepts an attacker's copy of an older feed, and offers again a version that the user rolled back.
 */
type UpdateState = Readonly<z.infer<typeof stateRule>>;

/** Parses the stored state, or starts empty if it cannot be read. */
export function readUpdateState(text: string | undefined, rolloutPosition: number): UpdateState {
  try {
    return stateRule.parse(JSON.parse(text ?? ''));
  } catch {
    return { rolloutPosition, lastIssuedAt: '' };
  }
}

/** Stores the state in a file. Failed writes are not reported. */
export class UpdateStateStore {
  readonly #file: StateFile;
  #state: UpdateState;
  #written: Promise<unknown> = Promise.resolve();

  constructor(file: StateFile, random: number) {
    this.#file = file;
    const read = file.read();
    this.#state = readUpdateState(read.ok ? read.value : undefined, random);
  }

  get now(): UpdateState {
    return this.#state;
  }

  change(changes: Partial<UpdateState>): void {
    this.#state = { ...this.#state, ...changes };
    const text = `${JSON.stringify(this.#state)}\n`;
    this.#written = this.#written.then(() => this.#file.write(text));
  }

  async settled(): Promise<void> {
    await this.#written;
  }
}
