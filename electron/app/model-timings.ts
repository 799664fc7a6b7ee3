import { z } from 'zod';
import type { StateFile } from '../../shared/ports/files.ts';
import type { Log } from '../../shared/ports/log.ts';
import { paceOf } from '../model/model-pace.ts';
import type { RememberedLoad } from '../model/model-supervisor.ts';

/** The measured times hold for one program (path, size and time of change) and one folder of the model. */
export interface ModelIdentity {
  readonly program: string;
  readonly bytes: number;
  readonly changedMs: number;
  readonly folder: string;
}

const milliseconds = z.number().min(0).max(3_600_000);

const timingsRule = z.object({
  program: z.string(),
  bytes: z.number(),
  changedMs: z.number(),
  folder: z.string(),
  loadMs: milliseconds,
  pace: z.object({ medianMs: milliseconds, p90Ms: milliseconds }).optional(),
});

/** Stores how long the last load took, and how long the model's steps take. Losing them costs only an estimate, so failed writes are not reported. */
export class ModelTimings {
  readonly #file: StateFile;
  readonly #log: Log;
  #written: Promise<unknown> = Promise.resolve();

  constructor(file: StateFile, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  recall(identity: ModelIdentity): RememberedLoad | undefined {
    const stored = this.#file.read();
    if (stored.ok && stored.value === undefined) return undefined;
    const timings = parseTimings(stored.ok ? stored.value : undefined);
    if (timings === undefined) {
      this.#log.write(
        'warn',
        'cannot read the stored loading time of the model; it will be measured again',
      );
      return undefined;
    }
    const isSame =
      timings.program === identity.program &&
      timings.bytes === identity.bytes &&
      timings.changedMs === identity.changedMs &&
      timings.folder === identity.folder;
    if (!isSame) return undefined;
    const { loadMs, pace } = timings;
    return { loadMs, pace: pace && paceOf(pace.medianMs, pace.p90Ms) };
  }

  remember(identity: ModelIdentity, { loadMs, pace }: RememberedLoad): void {
    const measured = pace && { medianMs: pace.medianMs, p90Ms: pace.p90Ms };
    const text = `${JSON.stringify({ ...identity, loadMs, pace: measured })}\n`;
    this.#written = this.#written.then(() => this.#file.write(text));
  }

  async settled(): Promise<void> {
    await this.#written;
  }
}

function parseTimings(text: string | undefined): z.infer<typeof timingsRule> | undefined {
  try {
    return timingsRule.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
