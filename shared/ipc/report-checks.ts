import { z } from 'zod';
import type { ReportRequests } from './report-contract.ts';

type Checks = {
  readonly [Name in keyof ReportRequests]: z.ZodType<ReportRequests[Name]['input']>;
};

export const reportChecks: Checks = {
  prepareReport: z.strictObject({
    of: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('talk'), id: z.string().min(1).max(255) }),
      z.strictObject({ kind: z.literal('replay') }),
      z.strictObject({ kind: z.literal('shown') }),
      z.strictObject({ kind: z.literal('last') }),
    ]),
  }),
  saveReport: z.undefined(),
  dropReport: z.undefined(),
};
