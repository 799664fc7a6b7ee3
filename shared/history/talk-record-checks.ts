import { z } from 'zod';
import { appError, isAppError } from '../errors/app-error.ts';
import type { AppError } from '../errors/app-error.ts';
import type { TalkRecord } from './talk-record.ts';

/** Years beyond which a calendar cannot show a date. */
const time = z.number().min(0).max(8.64e15);
const at = z.number().min(0).max(1e9);
const maxTurns = 20_000;

/** A newer version has other codes: what ended the talk is not known then, and that it has ended is. */
const error = z.custom<AppError>(isAppError).catch(() => appError('talkEndUnknown'));

const ending = z.object({
  error,
  by: z.enum(['client', 'server', 'network']),
  orderly: z.boolean(),
});

const turn = z
  .object({
    by: z.enum(['person', 'parley']),
    at,
    text: z.string().max(1_000_000),
    heard: z.int().min(0),
    cutFrom: z.int().min(0).optional(),
    transcribed: z.enum(['byMachine', 'corrected']).optional().catch(undefined),
  })
  .transform((each) => ({ ...each, heard: Math.min(each.heard, each.text.length) }));

const event = z.discriminatedUnion('kind', [
  z.object({ at, kind: z.enum(['began', 'reconnected', 'continued']) }),
  z.object({ at, kind: z.literal('interrupted'), turn: z.int().min(0) }),
  z.object({ at, kind: z.enum(['reconnecting', 'trouble']), error }),
  z.object({
    at,
    kind: z.enum(['deviceLost', 'deviceBack']),
    role: z.enum(['microphone', 'speaker']),
  }),
  z.object({ at, kind: z.literal('ended'), ending }),
]);

/** A name without a way in it. */
const pictureName = /^picture-\d{1,6}\.jpg$/u;

const picture = z.object({
  at,
  file: z.string().regex(pictureName),
  width: z.int().min(1).max(100_000),
  height: z.int().min(1).max(100_000),
});

/** What is not known of an event or a picture leaves that out, and nothing else. */
const known = <Value>(check: z.ZodType<Value>, most: number): z.ZodType<readonly Value[]> =>
  z
    .array(z.unknown())
    .max(most)
    .transform((list) =>
      list.flatMap((each) => {
        const checked = check.safeParse(each);
        return checked.success ? [checked.data] : [];
      }),
    );

export const talkRecordCheck: z.ZodType<TalkRecord> = z.object({
  title: z.string().max(1000),
  pinned: z.boolean(),
  mode: z.enum(['audio', 'video']),
  server: z.object({ name: z.string().max(300), address: z.string().max(3000).optional() }),
  begunAt: time,
  savedAt: time,
  ending: ending.optional(),
  turns: z.array(turn).max(maxTurns),
  events: known(event, maxTurns),
  pictures: known(picture, maxTurns),
});
