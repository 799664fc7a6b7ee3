import { z } from 'zod';
import { appError, type AppError, isAppError } from '../errors/app-error.ts';
import type { PastPassage } from '../memory/memory-view.ts';
import { isJsonObject } from '../protocol/json.ts';
import { historyKinds } from '../recordings/history-item.ts';
import { type ChatSettings, chatSettings } from '../settings/assistant-settings.ts';
import { type ChatThread, type Part, type ToolCall, toolCallStates } from './chat-thread.ts';

const id = z.string().regex(/^[\da-v]{1,64}$/u);
const time = z.number().min(0);
const maxTextLength = 1_000_000;

export const partSchema: z.ZodType<Part> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().max(maxTextLength) }),
  z.strictObject({ type: z.literal('image'), media: id }),
  z.strictObject({ type: z.literal('audio'), media: id, seconds: z.number().min(0).max(3600) }),
]);

/** All settings are required. The settings rules, not this schema, limit the length of `system`. */
export const chatSettingsSchema = z.custom<ChatSettings>((value) => {
  if (!isJsonObject(value) || typeof value['system'] !== 'string') return false;
  let isValid = Object.keys(chatSettings.initial).every((name) => value[name] !== undefined);
  chatSettings.read({ ...value, system: '' }, chatSettings.initial, '', () => {
    isValid = false;
  });
  return isValid;
});

/** A newer version can store unknown codes; older ones stored a sentence. */
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

/** Unknown fields of a newer version are dropped, not refused. */
const answerState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('streaming') }),
  z.object({ kind: z.literal('done'), cutShort: z.boolean() }),
  z.object({ kind: z.literal('stopped') }),
  failedAnswer,
]);

const toolCall: z.ZodType<ToolCall> = z.object({
  id,
  at: z.number().int().min(0),
  callName: z.string(),
  tool: z.string(),
  server: z.string(),
  args: z.string(),
  state: z.enum(toolCallStates),
  isRisky: z.boolean(),
  response: z.string(),
  error: z.custom<AppError>(isAppError).optional().catch(undefined),
});

const place = { kind: z.enum(historyKinds), id: z.string().max(64) };

const pastPassage: z.ZodType<PastPassage> = z.object({
  ...place,
  title: z.string().max(200),
  at: time,
  turn: z.number().int().min(0).optional(),
  chatTurn: z.string().max(64).optional(),
});

const turn = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    id,
    at: time,
    parts: z.array(partSchema),
    past: z.array(pastPassage).optional().catch(undefined),
    leftOut: z.array(z.object(place)).optional().catch(undefined),
  }),
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
    calls: z.array(toolCall).optional(),
  }),
]);

export const chatThreadSchema: z.ZodType<ChatThread> = z.object({
  id,
  title: z.string(),
  createdAt: time,
  updatedAt: time,
  pinned: z.boolean(),
  turns: z.array(turn),
  branches: z.array(z.object({ id, after: id.optional(), turns: z.array(turn) })),
});
