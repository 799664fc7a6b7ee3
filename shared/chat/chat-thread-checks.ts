import { z } from 'zod';
import { appError, type AppError, isAppError } from '../errors/app-error.ts';
import { isJsonObject } from '../protocol/json.ts';
import { type ChatSettings, chatSettings } from '../settings/chat-settings.ts';
import type { ChatThread, Part } from './chat-thread.ts';

const id = z.string().regex(/^[\da-v]{1,64}$/u);
const time = z.number().min(0);
const most = 1_000_000;

export const partCheck: z.ZodType<Part> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().max(most) }),
  z.strictObject({ type: z.literal('image'), media: id }),
  z.strictObject({ type: z.literal('audio'), media: id, seconds: z.number().min(0).max(3600) }),
]);

/** All of them; how long the text for the model may be the settings say, in a sentence. */
export const chatSettingsCheck = z.custom<ChatSettings>((value) => {
  if (!isJsonObject(value) || typeof value['system'] !== 'string') return false;
  let right = Object.keys(chatSettings.initial).every((name) => value[name] !== undefined);
  chatSettings.read({ ...value, system: '' }, chatSettings.initial, '', () => {
    right = false;
  });
  return right;
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
