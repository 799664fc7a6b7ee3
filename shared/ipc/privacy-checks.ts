import { z } from 'zod';
import { storedDataKinds } from '../privacy/stored-data.ts';
import type { PrivacyRequests } from './privacy-contract.ts';

type Checks = {
  readonly [Name in keyof PrivacyRequests]: z.ZodType<PrivacyRequests[Name]['input']>;
};

export const privacyChecks: Checks = {
  kept: z.undefined(),
  deleteStoredData: z.strictObject({ kind: z.enum([...storedDataKinds, 'all']) }),
};
