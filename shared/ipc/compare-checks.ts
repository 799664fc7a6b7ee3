import { z } from 'zod';
import type { CompareRequests } from './compare-contract.ts';

type Checks = {
  readonly [Name in keyof CompareRequests]: z.ZodType<CompareRequests[Name]['input']>;
};

/** The name of a folder; it leads nowhere but to what lies among the tapes. */
const tape = z.string().min(1).max(255);

export const compareChecks: Checks = {
  comparableTapes: z.strictObject({ tape }),
  compareTapes: z.strictObject({ tape, other: tape }),
  rerunTape: z.strictObject({ tape, server: z.string().min(1).max(255) }),
  stopRerun: z.undefined(),
};
