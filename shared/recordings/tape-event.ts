import { z } from 'zod';
import { type AppError, isAppError } from '../errors/app-error.ts';

const handOverStep = z.enum([
  /** Opens the next session; microphone sound waits for it. */
  'open',
  /** The next session takes over the talk. */
  'take',
  /** The next session takes too long: the current one gets the microphone back, and the next may keep waiting in the queue. */
  'release',
  /** Gives the next session up. */
  'drop',
  /** Closes the current session, so that the next can have its worker. */
  'yield',
]);

/** Steps that let the next session take over before a limit ends the current one. */
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
  /** Versions of Parley, its runtime and its sound system. */
  versions: z.record(name, name),
  talking,
  yielding: z.enum(['auto', 'always', 'never']),
  /** Whether lost sessions reconnect automatically. */
  reconnects: z.boolean(),
  /** Whether sessions hand over at a limit; defaults to false. */
  handsOver: z.boolean().optional(),
  /** Device names as chosen; missing if a file replaced the device. */
  microphone: name.optional(),
  speaker: name.optional(),
  slices: count.optional(),
  /** Known session limit of the server; missing if the documented one applies. */
  sessionSeconds: z.number().positive().optional(),
});

/** Setup of a talk at the beginning of its tape. Contains no secrets, and nothing the header has. */
export type TapeBeginning = Readonly<z.infer<typeof tapeBeginning>>;

const tapeEvent = z.discriminatedUnion('kind', [
  tapeBeginning.extend({ kind: z.literal('began') }),
  /** Talk key, mute, cough mute, pause and talking mode, after each change. */
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
  /** Whether the model hears the computer's sound. Until the first such event, it does not. */
  z.object({ kind: z.literal('computerSound'), on: z.boolean() }),
  /** Samples of the turn heard so far, at 24 kHz. */
  z.object({ kind: z.literal('heard'), turn: count, samples: count }),
  z.object({ kind: z.literal('bargeIn'), does: z.enum(['duck', 'restore', 'takesFloor']) }),
  /** Entries are missing since `from`, in milliseconds of the tape; `why` is an error code. */
  z.object({ kind: z.literal('gap'), from: z.number().nonnegative(), why: name }),
  /** Last line of a clip cut from a longer tape. */
  z.object({ kind: z.literal('cut') }),
  z.object({ kind: z.literal('handOver'), step: handOverStep }),
  z.object({ kind: z.literal('interrupt') }),
  z.object({ kind: z.literal('end') }),
  z.object({ kind: z.literal('continue'), carry: z.enum(['transcript', 'nothing']) }),
  z.object({ kind: z.enum(['sleep', 'wake', 'networkBack']) }),
  /** Random factor of a reconnect delay, from 0 to 1. */
  z.object({ kind: z.literal('chance'), value: z.number().min(0).max(1) }),
  z.object({ kind: z.literal('lostInSleep') }),
]);

/** Something on a tape that the wire does not show. Readers skip unknown kinds. */
export type TapeEvent = Readonly<z.infer<typeof tapeEvent>>;

/** Undefined if the kind is unknown or the fields are invalid. */
export function readTapeEvent(event: unknown): TapeEvent | undefined {
  return tapeEvent.safeParse(event).data;
}
