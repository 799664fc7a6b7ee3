import { z } from 'zod';
import { type AppError, appError, isAppError } from '../errors/app-error.ts';

/** Years beyond which a calendar cannot show a date. */
const time = z.number().min(0).max(8.64e15);
/** Milliseconds since the talk began. */
const at = z.number().min(0).max(1e9);
const maxTurns = 20_000;

/** A newer version has other codes: what ended the talk is not known then, and that it has ended is. */
const error = z.custom<AppError>(isAppError).catch(() => appError('talkEndUnknown'));

const ending = z.object({
  error,
  by: z.enum(['client', 'server', 'network']),
  orderly: z.boolean(),
});

const server = z.object({
  /** As the person calls it. */
  name: z.string().max(300),
  /** Scheme, host and path; none for the demonstration. */
  address: z.string().max(3000).optional(),
});

const turn = z
  .object({
    by: z.enum(['person', 'parley']),
    at,
    text: z.string().max(1_000_000),
    heard: z.int().min(0),
    cutFrom: z.int().min(0).optional(),
    /** Of words that a machine wrote down: whether a person has put them right since. */
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

export const talkRecordCheck = z.object({
  /** The person's own; empty until they give it one. */
  title: z.string().max(1000),
  pinned: z.boolean(),
  mode: z.enum(['audio', 'video']),
  server,
  /** Milliseconds since 1970. */
  begunAt: time,
  /** Until when all of it is here. */
  savedAt: time,
  /** Missing while it goes on, and where a crash has cut it. */
  ending: ending.optional(),
  turns: z.array(turn).max(maxTurns).readonly(),
  events: known(event, maxTurns),
  pictures: known(picture, maxTurns),
});

/**
 * The text of a talk, as it stands in `talks/<stamp>/talk.json`. The folder's name is its id, and that of the talk's tape
 * where there is one. A reader ignores fields that it does not know.
 */
export type TalkRecord = Readonly<z.infer<typeof talkRecordCheck>>;

export type TalkRecordServer = Readonly<z.infer<typeof server>>;

/** Words as they were heard: up to `heard`, and from `cutFrom` on nobody heard them. */
export type TalkRecordTurn = Readonly<z.infer<typeof turn>>;

export type TalkRecordEvent = Readonly<z.infer<typeof event>>;

/** A picture that went to the model: a JPEG in the folder of the record. */
export type TalkRecordPicture = Readonly<z.infer<typeof picture>>;

/** A talk that is read again, with what is known of it besides its record. */
export interface OpenedTalkRecord {
  readonly id: string;
  readonly record: TalkRecord;
  readonly goesOn: boolean;
  /** Its tape is kept, and can be replayed under the same id. */
  readonly tape: boolean;
  readonly bytes: number;
  /** Where somebody wanted the person's words written down from its tape. */
  readonly words?: WrittenTape | undefined;
}

/** How far the writing down of a tape has come. */
export interface WrittenTape {
  readonly goesOn: boolean;
  /** Phrases so far, those in which no words were made out among them. */
  readonly written: number;
  /** Why it has ended before its end. */
  readonly error?: AppError | undefined;
}

/** Scheme, host and path: the user, the query and the fragment of an address can hold secrets. */
export function recordedServer(name: string, address: string | undefined): TalkRecordServer {
  const parts = /^(?<scheme>[a-z][a-z\d+.-]*:\/\/)(?:[^/?#\\]*@)?(?<rest>[^?#@]*)/iu.exec(
    address ?? '',
  );
  if (parts === null) return { name };
  const { scheme = '', rest = '' } = parts.groups ?? {};
  return { name, address: `${scheme}${rest}` };
}

/** What the person said, in a record. */
export interface OwnTurn {
  readonly at: number;
  /** Empty to take it out. */
  readonly text: string;
  readonly transcribed: 'byMachine' | 'corrected';
}
