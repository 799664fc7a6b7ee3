import { z } from 'zod';
import type { UpdateRequests } from './update-contract.ts';

export const updateChecks: {
  readonly [Name in keyof UpdateRequests]: z.ZodType<UpdateRequests[Name]['input']>;
} = {
  updates: z.undefined(),
  checkForUpdates: z.undefined(),
  fetchUpdate: z.undefined(),
  switchVersion: z.strictObject({ to: z.enum(['next', 'previous']) }),
  updateSeen: z.undefined(),
};
