import { floats, jpeg, picture, wav } from './frame-rules.ts';
import {
  anything,
  flag,
  isObject,
  list,
  number,
  oneOf,
  openObject,
  object,
  text,
  integer,
} from './frame-rules.ts';
import type { Rule } from './frame-rules.ts';

/**
 * Checks client frames against the documents alone, without code of the codecs, so that a
 * misreading has to happen twice.
 */

/** `connected` is after queue_done, `active` after created, `closed` after a close by either side. */
export type SessionStage = 'queued' | 'connected' | 'active' | 'closed';

type Dialect = 'unified' | 'legacy';
type Mode = 'chat' | 'audio' | 'video';

/** "Minimum: 4000 samples (250ms)". */
const chunk = floats(4000);
const slices = integer(1, 9);
const voice = floats(1);

const unifiedInit = object({
  'type!': anything,
  'payload!': object({
    system_prompt: text,
    instructions: text,
    config: openObject({ length_penalty: number }),
    voice: object({ ref_audio_base64: voice, tts_ref_audio_base64: voice }),
  }),
});

/** In chat the payload has no fields. */
const chatInit = object({ 'type!': anything, 'payload!': object({}) });

/** The documents mention an input's id only where the server names it, in `response.output.delta`. */
const duplexInput = {
  'audio!': chunk,
  force_listen: flag,
  max_slice_nums: slices,
  hints: object({ force_listen: flag, max_slice_nums: slices }),
  input_id: text,
};

const parts: Readonly<Record<string, Rule>> = {
  text: object({ 'type!': anything, 'text!': text }),
  image: object({ 'type!': anything, 'data!': picture }),
  /** "Enables omni chat input": sound is a content part like a picture. */
  audio: object({ 'type!': anything, 'data!': voice }),
};

const contentPart: Rule = (value, at) => {
  const rule = isObject(value) ? parts[String(value['type'])] : undefined;
  return rule === undefined ? [`${at} is no part of a message`] : rule(value, at);
};

const content: Rule = (value, at) =>
  typeof value === 'string' ? [] : list(contentPart)(value, at);

const chatInput = object({
  'messages!': list(
    object({ 'role!': oneOf('system', 'user', 'assistant'), 'content!': content }),
    1,
  ),
  streaming: flag,
  generation: object({ max_new_tokens: integer(1, 1_000_000), length_penalty: number }),
  image: object({ max_slice_nums: slices }),
  omni_mode: flag,
  tts: object({ enabled: flag, ref_audio_data: voice }),
  use_tts_template: flag,
  enable_thinking: flag,
  input_id: text,
});

const close = object({ 'type!': anything, reason: text });

const unifiedInputs: Readonly<Record<Mode, Rule>> = {
  chat: chatInput,
  audio: object(duplexInput),
  video: object({ ...duplexInput, video_frames: list(jpeg) }),
};

function unified(mode: Mode): Readonly<Record<string, Rule>> {
  return {
    'session.init': mode === 'chat' ? chatInit : unifiedInit,
    'input.append': object({ 'type!': anything, 'input!': unifiedInputs[mode] }),
    'session.close': close,
  };
}

/** "Audio Full-Duplex mode has no max_slice_nums field"; its `video_frames` are undefined behaviour. */
function legacy(mode: Mode): Readonly<Record<string, Rule>> {
  const video = mode === 'video';
  const session = { 'instructions!': text, ref_audio: wav, tts_ref_audio: wav };
  const append = { 'type!': anything, 'audio!': chunk, force_listen: flag };
  return {
    'session.update': object({
      'type!': anything,
      'session!': object(video ? { ...session, max_slice_nums: slices } : session),
    }),
    'input_audio_buffer.append': object(
      video ? { ...append, video_frames: list(jpeg), max_slice_nums: slices } : append,
    ),
    'session.close': close,
  };
}

const configures: Readonly<Record<Dialect, string>> = {
  unified: 'session.init',
  legacy: 'session.update',
};

function outOfOrder(type: string, dialect: Dialect, stage: SessionStage): readonly string[] {
  const isConfigure = type === configures[dialect];
  if (stage === 'queued') return [`${type} is sent before queue_done`];
  if (stage === 'closed') return [`${type} is sent after the end`];
  if (stage === 'connected' && !isConfigure) return [`${type} is sent before created`];
  return stage === 'active' && isConfigure ? [`${type} is sent a second time`] : [];
}

/** Lists every rule of the documents that a frame breaks, field by field. */
export function checkClientFrame(
  frame: unknown,
  dialect: Dialect,
  mode: Mode,
  stage: SessionStage,
): string[] {
  if (!isObject(frame)) return ['the frame is not an object'];
  const { type } = frame;
  if (typeof type !== 'string') return ['type is not a string'];
  if (dialect === 'legacy' && mode === 'chat') return ['legacy has no chat'];
  const rule = (dialect === 'unified' ? unified : legacy)(mode)[type];
  if (rule === undefined) return [`${type} is no event of the ${dialect} dialect`];
  return [...outOfOrder(type, dialect, stage), ...rule(frame, type)];
}
