import { z } from 'zod';
import { appError, type AppError, isAppError } from '../errors/app-error.ts';
import type { ChatOptions } from '../settings/chat-settings.ts';
import type { ChatThread, Part } from './chat-thread.ts';

const id = z.string().regex(/^[\da-v]{1,64}$/u);
const time = z.number().min(0);
const most = 1_000_000;

export const partCheck: z.ZodType<Part> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().max(most) }),
  z.strictObject({ type: z.literal('image'), media: id }),
  z.strictObject({ type: z.literal('audio'), media: id, seconds: z.number().min(0).max(3600) }),
]);

export const chatOptionsCheck: z.ZodType<ChatOptions> = z.strictObject({
  system: z.string().max(most).optional(),
  streaming: z.boolean(),
  speech: z.boolean(),
  voice: z.string().max(200).optional(),
  maxNewTokens: z.int().min(1).max(8192).optional(),
  lengthPenalty: z.number().min(0.1).max(5).optional(),
  thinking: z.boolean(),
  ttsTemplate: z.boolean().optional(),
  maxSlices: z.int().min(1).max(9).optional(),
});

/** A newer version has other codes; older ones wrote a sentence. */
const failedAnswer = z
  .object({
    kind: z.literal('failed'),
    error: z.custom<AppError>(isAppError).optional().catch(undefined),
    problem: z.string().optional(),
  })
  .transform(({ kind, error, problem }) => ({
    kind,
    error:
      error ??
      (problem === undefined
        ? appError('answerLost')
        : appError('answerFailedBefore', { problem })),
  }));

/** A newer version may keep more: what is not known is left out, not refused. */
const answerState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('streaming') }),
  z.object({ kind: z.literal('done'), cutShort: z.boolean() }),
  z.object({ kind: z.literal('stopped') }),
  failedAnswer,
]);

const turn = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), id, at: time, parts: z.array(partCheck) }),
  z.object({
    role: z.literal('assistant'),
    id,
    at: time,
    text: z.string(),
    state: answerState,
    speechSeconds: z.number().min(0),
    stats: z
      .object({
        firstMs: z.number().optional(),
        totalMs: z.number(),
        contextTokens: z.number().optional(),
      })
      .optional(),
  }),
]);

export const chatThreadCheck: z.ZodType<ChatThread> = z.object({
  id,
  title: z.string(),
  createdAt: time,
  updatedAt: time,
  pinned: z.boolean(),
  turns: z.array(turn),
  branches: z.array(z.object({ id, after: id.optional(), turns: z.array(turn) })),
});
