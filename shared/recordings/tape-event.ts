import { z } from 'zod';
import { type AppError, isAppError } from '../errors/app-error.ts';

const handOverStep = z.enum([
  /** The next is asked for; what the microphone hears waits for it. */
  'open',
  /** The next has the talk. */
  'take',
  /** It takes too long: the microphone is the present one's again, and the next may go on waiting in line. */
  'release',
  /** The next is of no use any more. */
  'drop',
  /** The present one is given up, so that its place is free for the next. */
  'yield',
]);

/** What is done so that the next session takes over before a limit ends the present one. */
export type HandOverStep = z.infer<typeof handOverStep>;

const talking = z.enum(['open', 'hold', 'tap', 'holdOrTap']);
const name = z.string().max(512);
const count = z.number().int().nonnegative();

const device = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('using'), device: name }),
  z.object({ kind: z.literal('standsIn'), device: name, missing: name }),
  z.object({ kind: z.literal('lost'), error: z.custom<AppError>(isAppError) }),
]);

const tapeBeginning = z.object({
  /** Parley, what it runs in, what plays its sound. */
  versions: z.record(name, name),
  talking,
  yielding: z.enum(['auto', 'always', 'never']),
  /** Whether a lost session was fetched back by itself. */
  reconnects: z.boolean(),
  /** Whether another session followed one that a limit ended; where it is left out, none did. */
  handsOver: z.boolean().optional(),
  /** Names as they were chosen; none where a file stood for it. */
  microphone: name.optional(),
  speaker: name.optional(),
  slices: count.optional(),
  /** What was known of the server's limit; nothing where it was taken from the documents. */
  sessionSeconds: z.number().positive().optional(),
});

/** How a talk was held, at the beginning of its tape: no secrets, and nothing that the header has. */
export type TapeBeginning = Readonly<z.infer<typeof tapeBeginning>>;

const tapeEvent = z.discriminatedUnion('kind', [
  tapeBeginning.extend({ kind: z.literal('began') }),
  /** Talk key, mute, cough, pause, talking mode: how it stood after each. */
  z.object({
    kind: z.literal('controls'),
    controls: z.object({
      talking,
      transmitting: z.boolean(),
      passing: z.boolean(),
      latched: z.boolean(),
      muted: z.boolean(),
      coughMuted: z.boolean(),
      paused: z.boolean(),
    }),
  }),
  z.object({ kind: z.literal('floor'), floor: z.enum(['nobody', 'you', 'parley', 'both']) }),
  z.object({
    kind: z.literal('devices'),
    devices: z.object({ microphone: device, speaker: device }),
  }),
  /** So much of the turn had been heard by then, in samples of 24 kHz. */
  z.object({ kind: z.literal('heard'), turn: count, samples: count }),
  /** The person spoke over the answer. */
  z.object({ kind: z.literal('bargeIn'), does: z.enum(['duck', 'restore', 'takesFloor']) }),
  /** Nothing was written down from then to now, in milliseconds of the tape, for a reason with this code. */
  z.object({ kind: z.literal('gap'), from: z.number().nonnegative(), why: name }),
  /** The last line of a stretch that was cut out of a longer tape. */
  z.object({ kind: z.literal('cut') }),
  /** A step of a hand-over from one session to the next. */
  z.object({ kind: z.literal('handOver'), step: handOverStep }),
  z.object({ kind: z.literal('interrupt') }),
  z.object({ kind: z.literal('end') }),
  z.object({ kind: z.literal('continue'), carry: z.enum(['transcript', 'nothing']) }),
  z.object({ kind: z.enum(['sleep', 'wake', 'networkBack']) }),
  /** What chance decided of the wait before another try, from 0 to 1. */
  z.object({ kind: z.literal('chance'), value: z.number().min(0).max(1) }),
  /** The connection was given up, because the machine had slept. */
  z.object({ kind: z.literal('lostInSleep') }),
]);

/** What the wire does not show of a talk, as it stands on a tape. A reader leaves out what it does not know. */
export type TapeEvent = Readonly<z.infer<typeof tapeEvent>>;

/** Nothing where it is of a kind that this version does not know, or is not as that kind is. */
export function readTapeEvent(event: unknown): TapeEvent | undefined {
  return tapeEvent.safeParse(event).data;
}
