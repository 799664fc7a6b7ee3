import { z } from 'zod';
import { type AppError, isAppError } from '../errors/app-error.ts';
import type {
  Floor,
  PushToTalkMode,
  TalkControls,
  TalkDeviceStates,
  YieldPolicy,
} from '../talk/talk-state.ts';

/** What is done so that the next session takes over before a limit ends the present one. */
export type HandOverStep =
  /** The next is asked for; what the microphone hears waits for it. */
  | 'open'
  /** The next has the talk. */
  | 'take'
  /** It takes too long: the microphone is the present one's again, and the next may go on waiting in line. */
  | 'release'
  /** The next is of no use any more. */
  | 'drop'
  /** The present one is given up, so that its place is free for the next. */
  | 'yield';

/** How a talk was held, at the beginning of its tape: no secrets, and nothing that the header has. */
export interface TapeBeginning {
  /** Parley, what it runs in, what plays its sound. */
  readonly versions: Readonly<Record<string, string>>;
  readonly talking: PushToTalkMode;
  readonly yielding: YieldPolicy;
  /** Whether a lost session was fetched back by itself. */
  readonly reconnects: boolean;
  /** Whether another session followed one that a limit ended; where it is left out, none did. */
  readonly handsOver?: boolean | undefined;
  /** Names as they were chosen; none where a file stood for it. */
  readonly microphone: string | undefined;
  readonly speaker: string | undefined;
  readonly slices: number | undefined;
  /** What was known of the server's limit; nothing where it was taken from the documents. */
  readonly sessionSeconds?: number | undefined;
}

/** What the wire does not show of a talk, as it stands on a tape. A reader leaves out what it does not know. */
export type TapeEvent =
  | ({ readonly kind: 'began' } & TapeBeginning)
  /** Talk key, mute, cough, pause, talking mode: how it stood after each. */
  | { readonly kind: 'controls'; readonly controls: TalkControls }
  | { readonly kind: 'floor'; readonly floor: Floor }
  | { readonly kind: 'devices'; readonly devices: TalkDeviceStates }
  /** So much of the turn had been heard by then, in samples of 24 kHz. */
  | { readonly kind: 'heard'; readonly turn: number; readonly samples: number }
  /** The person spoke over the answer. */
  | { readonly kind: 'bargeIn'; readonly does: 'duck' | 'restore' | 'takesFloor' }
  /** Nothing was written down from then to now, in milliseconds of the tape, for a reason with this code. */
  | { readonly kind: 'gap'; readonly from: number; readonly why: string }
  /** The last line of a stretch that was cut out of a longer tape. */
  | { readonly kind: 'cut' }
  /** A step of a hand-over from one session to the next. */
  | { readonly kind: 'handOver'; readonly step: HandOverStep }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'end' }
  | { readonly kind: 'continue'; readonly carry: 'transcript' | 'nothing' }
  | { readonly kind: 'sleep' | 'wake' | 'networkBack' }
  /** What chance decided of the wait before another try, from 0 to 1. */
  | { readonly kind: 'chance'; readonly value: number }
  /** The connection was given up, because the machine had slept. */
  | { readonly kind: 'lostInSleep' };

const talking = z.enum(['open', 'hold', 'tap', 'holdOrTap']);
const name = z.string().max(512);
const count = z.number().int().nonnegative();

const device = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('using'), device: name }),
  z.object({ kind: z.literal('standsIn'), device: name, missing: name }),
  z.object({ kind: z.literal('lost'), error: z.custom<AppError>(isAppError) }),
]);

const tapeEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('began'),
    versions: z.record(name, name),
    talking,
    yielding: z.enum(['auto', 'always', 'never']),
    reconnects: z.boolean(),
    handsOver: z.boolean().optional(),
    microphone: name.optional(),
    speaker: name.optional(),
    slices: count.optional(),
    sessionSeconds: z.number().positive().optional(),
  }),
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
  z.object({ kind: z.literal('heard'), turn: count, samples: count }),
  z.object({ kind: z.literal('bargeIn'), does: z.enum(['duck', 'restore', 'takesFloor']) }),
  z.object({ kind: z.literal('gap'), from: z.number().nonnegative(), why: name }),
  z.object({ kind: z.literal('cut') }),
  z.object({
    kind: z.literal('handOver'),
    step: z.enum(['open', 'take', 'release', 'drop', 'yield']),
  }),
  z.object({ kind: z.literal('interrupt') }),
  z.object({ kind: z.literal('end') }),
  z.object({ kind: z.literal('continue'), carry: z.enum(['transcript', 'nothing']) }),
  z.object({ kind: z.enum(['sleep', 'wake', 'networkBack']) }),
  z.object({ kind: z.literal('chance'), value: z.number().min(0).max(1) }),
  z.object({ kind: z.literal('lostInSleep') }),
]);

/** Nothing where it is of a kind that this version does not know, or is not as that kind is. */
export function readTapeEvent(event: unknown): TapeEvent | undefined {
  const read = tapeEvent.safeParse(event);
  return read.success ? asTapeEvent(read.data) : undefined;
}

/** A field that was left out is one that is not known. */
function asTapeEvent(data: z.infer<typeof tapeEvent>): TapeEvent {
  if (data.kind !== 'began') return data;
  const { microphone, speaker, slices } = data;
  return { ...data, microphone, speaker, slices };
}
