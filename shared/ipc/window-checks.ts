import { z } from 'zod';
import type { WindowRequests } from './window-contract.ts';

type Checks = {
  readonly [Name in keyof WindowRequests]: z.ZodType<WindowRequests[Name]['input']>;
};

export const windowChecks: Checks = {
  windows: z.undefined(),
  showMini: z.undefined(),
  closeMini: z.undefined(),
  showMain: z.undefined(),
};
