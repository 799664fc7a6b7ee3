import { z } from 'zod';
import { isAppError } from '../errors/app-error.ts';
import type { AppError } from '../errors/app-error.ts';
import { isVersion } from './version-order.ts';

const versionRule = z.string().refine(isVersion);

const memoryRule = z.object({
  /** Where this installation stands among all, from 0 up to 1: for handing out step by step. It is sent to nobody. */
  share: z.number().min(0).lt(1),
  /** When the newest feed was signed that was believed; an older one is a replay. */
  issuedBefore: z.string().default(''),
  checkedAt: z.number().optional(),
  /** The version that the person went back from. */
  leftBehind: versionRule.optional(),
  /** The version that was told of. */
  told: versionRule.optional(),
  /** What is new in the version that waits for its place. */
  notes: z.record(z.string(), z.string()).default({}),
  /** Why it did not get its place. */
  failed: z.custom<AppError>(isAppError).optional().catch(undefined),
});

/** What is remembered of updates; losing it costs no more than a check. */
export type UpdateMemory = Readonly<z.infer<typeof memoryRule>>;

/** What was written, or a new beginning where that cannot be read. */
export function readUpdateMemory(text: string | undefined, share: number): UpdateMemory {
  try {
    return memoryRule.parse(JSON.parse(text ?? ''));
  } catch {
    return { share, issuedBefore: '', notes: {} };
  }
}
