import type { ExportForm } from '../../../../shared/export/export-form.ts';
import { isTextExport } from '../../../../shared/export/export-form.ts';

type Stage = 'film' | 'sound' | 'convert';
type Share = readonly [from: number, to: number];

/** By what each takes of the time on an ordinary machine; a hint, and no promise. */
const textShares: Partial<Record<Stage, Share>> = { film: [0, 1] };
const shares: Readonly<Partial<Record<ExportForm, Partial<Record<Stage, Share>>>>> = {
  wav: { film: [0, 0.8], sound: [0.8, 1] },
  flac: { film: [0, 0.6], sound: [0.6, 0.75], convert: [0.75, 1] },
  mp4: { film: [0, 0.35], sound: [0.35, 0.45], convert: [0.45, 1] },
  zip: { film: [0, 0.35], sound: [0.35, 0.45], convert: [0.45, 0.95] },
};

/** How far an export has come, from 0 to 1; it never goes back. */
export class ExportProgress {
  readonly #shares: Partial<Record<Stage, Share>>;
  readonly #tell: (part: number) => void;
  #told = 0;

  constructor(as: ExportForm, tell: (part: number) => void) {
    this.#shares = isTextExport(as) ? textShares : (shares[as] ?? {});
    this.#tell = tell;
  }

  /** So much of a stage is done. */
  done(stage: Stage, fraction: number): void {
    const share = this.#shares[stage];
    if (share === undefined) return;
    const [from, to] = share;
    const part = from + (to - from) * Math.min(1, Math.max(0, fraction));
    if (part <= this.#told) return;
    this.#told = part;
    this.#tell(part);
  }
}
