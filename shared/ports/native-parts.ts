import type { PartName, PartState } from '../app/program.ts';

/** Loads native libraries. `load` never rejects: a failure becomes the reason in the state. */
export interface NativeParts {
  readonly load: (part: PartName) => Promise<PartState>;
}
