import type { PartName, PartState } from '../app/program.ts';

/** The native libraries. Loading one never rejects: what went wrong is the state's reason. */
export interface NativeParts {
  readonly load: (part: PartName) => Promise<PartState>;
}
