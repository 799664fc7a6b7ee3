import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

// What deployed unified servers take besides what is documented, brought into the documented form: other
// names of the media, numbers and flags written as something else, and parts of a message that nobody knows.

const otherNames: Readonly<Record<string, readonly string[]>> = {
  audio: ['audio_base64', 'audio_data'],
  video_frames: ['frames', 'frame_base64_list'],
};

const knownParts: ReadonlySet<unknown> = new Set(['text', 'image', 'audio']);

/** What holds a prompt, a name or sound is never a number, whatever it looks like. */
const words = new Set([
  'type',
  'reason',
  'input_id',
  'system_prompt',
  'instructions',
  'ls_mode',
  'decode_mode',
  'mode',
  'audio',
  'data',
  'text',
  'role',
  'content',
  'ref_audio_base64',
  'tts_ref_audio_base64',
  'ref_audio_data',
]);
const flags = new Set([
  'force_listen',
  'generate_audio',
  'streaming',
  'omni_mode',
  'enabled',
  'use_tts_template',
  'enable_thinking',
]);

export function lenientClientFrame(frame: JsonObject): JsonObject {
  const { input, payload } = frame;
  return {
    ...frame,
    ...(isJsonObject(input) && { input: lenientInput(input) }),
    ...(isJsonObject(payload) && { payload: lenientValues(payload) }),
  };
}

function lenientInput(input: JsonObject): JsonObject {
  const named: Record<string, JsonValue> = { ...input };
  for (const [name, others] of Object.entries(otherNames)) {
    const other = others.find((key) => (input[key] ?? null) !== null);
    if ((input[name] ?? null) === null && other !== undefined) named[name] = input[other] ?? null;
  }
  const { audio, messages, video_frames: frames } = named;
  if (isJsonObject(audio)) named['audio'] = audio['data'] ?? null;
  if (typeof frames === 'string') named['video_frames'] = [frames];
  if (isList(messages)) named['messages'] = messages.map(lenientMessage);
  return lenientValues(named);
}

function lenientMessage(message: JsonValue): JsonValue {
  if (!isJsonObject(message) || !isList(message['content'])) return message;
  const content = message['content'].filter(
    (part) => !isJsonObject(part) || knownParts.has(part['type']),
  );
  return { ...message, content };
}

/** Numbers and flags in an object and in those within it; lists stay as they are. */
function lenientValues(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, lenientValue(key, value)]),
  );
}

function lenientValue(key: string, value: JsonValue): JsonValue {
  if (isJsonObject(value)) return lenientValues(value);
  if (flags.has(key)) return flagOf(value);
  if (typeof value !== 'string' || words.has(key) || value.length > 32) return value;
  const number = Number(value);
  return value.trim() !== '' && Number.isFinite(number) ? number : value;
}

function flagOf(value: JsonValue): JsonValue {
  if (value === 1 || value === 'true' || value === '1') return true;
  return value === 0 || value === 'false' || value === '0' ? false : value;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
