import { z } from 'zod';
import { exportForms } from '../export/export-form.ts';
import type { ExportRequests } from './export-contract.ts';

type Checks = {
  readonly [Name in keyof ExportRequests]: z.ZodType<ExportRequests[Name]['input']>;
};

const id = z.string().min(1).max(255);

const exportOriginCheck = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('talk'), id }),
  z.strictObject({ kind: z.literal('chat'), id }),
  z.strictObject({ kind: z.literal('replay') }),
]);

export const exportChecks: Checks = {
  exportOffer: z.strictObject({ origin: exportOriginCheck }),
  exportFile: z.strictObject({
    origin: exportOriginCheck,
    as: z.enum(exportForms),
    mix: z.boolean(),
  }),
  stopExport: z.undefined(),
  showSaved: z.undefined(),
};
