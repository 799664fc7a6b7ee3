import { z } from 'zod';
import { isAppError } from '../errors/app-error.ts';
import type { AppError } from '../errors/app-error.ts';
import type { TapeEvent } from './tape-event.ts';

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
