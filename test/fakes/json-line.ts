import { z } from 'zod';

const at = z.int().min(0);
const count = z.int().min(0);

/** The schema of `--json` lines, written independently of the product, to check them. */
export const jsonLine = z.discriminatedUnion('event', [
  z.strictObject({
    at,
    event: z.literal('state'),
    state: z.enum(['connecting', 'queued', 'configuring', 'live', 'closing', 'closed']),
  }),
  z.strictObject({
    at,
    event: z.literal('queue'),
    position: z.number().optional(),
    length: z.number().optional(),
    etaSeconds: z.number().optional(),
    ticket: z.string().optional(),
  }),
  z.strictObject({
    at,
    event: z.literal('session'),
    id: z.string(),
    dialect: z.enum(['unified', 'legacy']),
    runtimeMode: z.string().optional(),
    promptLength: z.number().optional(),
  }),
  z.strictObject({
    at,
    event: z.literal('sent'),
    inputId: z.string(),
    samples: count,
    frames: count,
    forceListen: z.boolean(),
  }),
  z.strictObject({ at, event: z.literal('text'), turn: count, text: z.string() }),
  z.strictObject({ at, event: z.literal('audio'), turn: count, samples: count }),
  z.strictObject({
    at,
    event: z.literal('caption'),
    turn: count,
    spoken: z.string(),
    upcoming: z.string(),
  }),
  z.strictObject({ at, event: z.literal('turnEnded'), turn: count }),
  z.strictObject({ at, event: z.literal('listen'), flushedSamples: count }),
  z.strictObject({ at, event: z.literal('handedOver'), heldMs: count }),
  z.strictObject({ at, event: z.literal('onlyListens'), spokenSeconds: count, steps: count }),
  z.strictObject({ at, event: z.literal('done'), text: z.string(), reason: z.string() }),
  z.object({ at, event: z.literal('metrics') }).catchall(z.number()),
  z.strictObject({
    at,
    event: z.literal('error'),
    code: z.string(),
    message: z.string(),
    fatal: z.boolean(),
    type: z.string().optional(),
  }),
  z.strictObject({
    at,
    event: z.literal('closed'),
    reason: z.string(),
    by: z.enum(['client', 'server', 'network']),
  }),
]);
