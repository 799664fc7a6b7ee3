import { z } from 'zod';
import { replayExamples, replaySpeeds, replayStops } from '../replay/replay-view.ts';
import type { ReplayRequests } from './replay-contract.ts';

type Checks = {
  readonly [Name in keyof ReplayRequests]: z.ZodType<ReplayRequests[Name]['input']>;
};

/** The name of a folder, and no way out of the one it lies in. */
const folderName = z
  .string()
  .max(200)
  .regex(/^[\w-]+(?:\.[\w-]+)*$/u);

const count = z.number().int().nonnegative().max(1e9);

export const replayChecks: Checks = {
  replay: z.undefined(),
  openReplay: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('tape'), tape: folderName }),
    z.strictObject({ kind: z.literal('example'), example: z.enum(replayExamples) }),
  ]),
  playReplay: z.undefined(),
  pauseReplay: z.undefined(),
  setReplaySpeed: z.strictObject({ speed: z.literal(replaySpeeds) }),
  seekReplay: z.strictObject({ at: z.number().nonnegative().max(1e10) }),
  seekReplayWord: z.strictObject({ turn: count, letter: count }),
  stepReplay: z.strictObject({ to: z.enum(replayStops), way: z.enum(['next', 'previous']) }),
  replayPicture: z.strictObject({ picture: count }),
  closeReplay: z.undefined(),
};
