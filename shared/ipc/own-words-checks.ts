import { z } from 'zod';
import type { OwnWordsRequests } from './own-words-contract.ts';

type Checks = {
  readonly [Name in keyof OwnWordsRequests]: z.ZodType<OwnWordsRequests[Name]['input']>;
};

export const ownWordsChecks: Checks = {
  correctOwnWords: z.strictObject({
    talk: z.string().min(1).max(255).optional(),
    at: z.number().min(0).max(1e9),
    text: z.string().max(10_000),
  }),
  writeOwnWordsAgain: z.undefined(),
};
