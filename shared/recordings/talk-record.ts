import { z } from 'zod';
import { type AppError, appError, isAppError } from '../errors/app-error.ts';

/** A time in milliseconds, up to the largest that a Date can hold. */
const time = z.number().min(0).max(8.64e15);
/** Milliseconds since the talk began. */
const at = z.number().min(0).max(1e9);
const maxTurns = 20_000;

/** An error whose code only a newer version knows becomes `talkEndUnknown`. */
const error = z.custom<AppError>(isAppError).catch(() => appError('talkEndUnknown'));

const ending = z.object({
  error,
  by: z.enum(['client', 'server', 'network']),
  orderly: z.boolean(),
});

const server = z.object({
  name: z.string().max(300),
  /** Scheme, host, port and path; missing for a built-in server. */
  address: z.string().max(3000).optional(),
});

const turn = z
  .object({
    by: z.enum(['person', 'parley']),
    at,
    text: z.string().max(1_000_000),
    heard: z.int().min(0),
    cutFrom: z.int().min(0).optional(),
    /** Whether the user corrected machine-transcribed words. */
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

/** A plain file name, without a path. */
const pictureName = /^picture-\d{1,6}\.jpg$/u;

const picture = z.object({
  at,
  file: z.string().regex(pictureName),
  width: z.int().min(1).max(100_000),
  height: z.int().min(1).max(100_000),
});

/** A list from which entries of unknown form are dropped. */
const knownEntries = <Value>(
  check: z.ZodType<Value>,
  maxCount: number,
): z.ZodType<readonly Value[]> =>
  z
    .array(z.unknown())
    .max(maxCount)
    .transform((list) =>
      list.flatMap((each) => {
        const checked = check.safeParse(each);
        return checked.success ? [checked.data] : [];
      }),
    );

export const talkRecordCheck = z.object({
  title: z.string().max(1000),
  pinned: z.boolean(),
  mode: z.enum(['audio', 'video']),
  server,
  begunAt: time,
  /** The record has everything up to this time. */
  savedAt: time,
  /** Missing while the talk runs, and after a crash. */
  ending: ending.optional(),
  turns: z.array(turn).max(maxTurns).readonly(),
  events: knownEntries(event, maxTurns),
  pictures: knownEntries(picture, maxTurns),
});

/**
 * A talk's text, stored as `talks/<stamp>/talk.json`. The folder's name is the talk's id and the
 * name of its tape. Readers ignore unknown fields.
 */
export type TalkRecord = Readonly<z.infer<typeof talkRecordCheck>>;

export type TalkRecordServer = Readonly<z.infer<typeof server>>;

/** Text was heard up to `heard`; text from `cutFrom` on was never heard. */
export type TalkRecordTurn = Readonly<z.infer<typeof turn>>;

export type TalkRecordEvent = Readonly<z.infer<typeof event>>;

/** A picture sent to the model: a JPEG in the record's folder. */
export type TalkRecordPicture = Readonly<z.infer<typeof picture>>;

/** A stored talk and facts from outside its record. */
export interface OpenedTalkRecord {
  readonly id: string;
  readonly record: TalkRecord;
  readonly isRunning: boolean;
  /** A tape exists under the same id. */
  readonly tape: boolean;
  readonly bytes: number;
  /** Transcription of the tape, if one was requested. */
  readonly words?: TranscriptionProgress | undefined;
}

export interface TranscriptionProgress {
  readonly isRunning: boolean;
  /** Phrases processed, including those without recognizable words. */
  readonly written: number;
  /** Why the transcription stopped early. */
  readonly error?: AppError | undefined;
}

/** Keeps scheme, host, port and path: user, query and fragment can hold secrets. */
export function recordedServer(name: string, address: string | undefined): TalkRecordServer {
  const parts = /^(?<scheme>[a-z][a-z\d+.-]*:\/\/)(?:[^/?#\\]*@)?(?<rest>[^?#@]*)/iu.exec(
    address ?? '',
  );
  if (parts === null) return { name };
  const { scheme = '', rest = '' } = parts.groups ?? {};
  return { name, address: `${scheme}${rest}` };
}

/** The user's words in a record. */
export interface TranscribedTurn {
  readonly at: number;
  /** Empty to remove the turn. */
  readonly text: string;
  readonly transcribed: 'byMachine' | 'corrected';
}
