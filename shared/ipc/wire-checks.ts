import { z } from 'zod';
import type { WireRequests } from './wire-contract.ts';

type Checks = {
  readonly [Name in keyof WireRequests]: z.ZodType<WireRequests[Name]['input']>;
};

export const wireChecks: Checks = { watchWire: z.strictObject({ on: z.boolean() }) };
