import { z } from 'zod';
import { keptKinds } from '../privacy/kept.ts';
import type { PrivacyRequests } from './privacy-contract.ts';

type Checks = {
  readonly [Name in keyof PrivacyRequests]: z.ZodType<PrivacyRequests[Name]['input']>;
};

export const privacyChecks: Checks = {
  kept: z.undefined(),
  deleteKept: z.strictObject({ kind: z.enum([...keptKinds, 'all']) }),
};
