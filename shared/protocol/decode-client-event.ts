import { decodeWav } from '../audio/wav.ts';
import { englishErrorMessage } from '../i18n/en/errors.ts';
import { type Base64, parseFrame } from './base64-media.ts';
import {
  ClientEventFields,
  type ClientDecodeOptions,
  decodeFrames,
  decodeGeneration,
  DecodeProblems,
  maxClientText,
} from './client-event-fields.ts';
import {
  type AppendEvent,
  type ChatMessage,
  type ChatSpeech,
  type ChatTurnEvent,
  type ClientEvent,
  type ClientEventProblem,
  type CloseSessionEvent,
  type ConfigureEvent,
  type ContentPart,
  type ReferenceVoice,
  type ToolResultEvent,
  type DialectName,
  inputRate,
} from './realtime-api.ts';
import { isJsonObject, isSimpleJson, type JsonObject, type JsonValue } from './json.ts';

function decodeSessionInit(
  frame: ClientEventFields,
  { lenient }: ClientDecodeOptions,
): ConfigureEvent {
  const payload = frame.required('payload').object('payload');
  const prompt = payload?.text('system_prompt');
  const alias = payload?.text('instructions');
  const config = payload?.object('config');
  const voice = payload?.object('voice');
  return {
    kind: 'configure',
    ...(lenient === true && { runtimeMode: payload?.text('mode') }),
    settings: {
      instructions: prompt ?? alias,
      generation: config && decodeGeneration(config),
      voice: voice && decodeVoice(voice),
      tools: payload?.items('tools', (items, key) => items.json(key))?.slice(0, maxTools),
    },
  };
}

/** Further tools are ignored: a model cannot read that many. */
const maxTools = 200;

/** `input.tool_result`, in the form of either draft. */
function decodeToolResult(frame: ClientEventFields): ToolResultEvent {
  const call = frame.required('tool_call_id').text('tool_call_id') ?? '';
  if (!frame.has('contents'))
    return { kind: 'toolResult', call, form: 'done', text: frame.text('content') ?? '' };
  const texts = frame.items('contents', (items, key) => items.object(key)?.text('text'));
  return { kind: 'toolResult', call, form: 'raw', text: (texts ?? []).join('\n') };
}

function decodeVoice(voice: ClientEventFields): ReferenceVoice {
  return {
    model: rawVoice(voice, 'ref_audio_base64'),
    speech: rawVoice(voice, 'tts_ref_audio_base64'),
  };
}

/** Rejects a WAV file, recognized by its first characters, because it would be read as noise. */
function rawVoice(voice: ClientEventFields, key: string): Float32Array | undefined {
  if (voice.startsWith(key, 'UklGR')) return voice.invalid(key, 'must be raw float32 PCM, not WAV');
  return voice.sound(key);
}

/** One event type for two inputs: chat has messages, duplex has audio. */
function decodeInputAppend(
  frame: ClientEventFields,
  { mode }: ClientDecodeOptions,
): AppendEvent | ChatTurnEvent {
  const input = frame.required('input').object('input');
  const outerId = frame.text('input_id');
  const inputId = input?.text('input_id') ?? outerId;
  const isChat = mode === undefined ? input?.has('messages') === true : mode === 'chat';
  if (input !== undefined && isChat) return decodeChat(input.required('messages'), inputId);
  return decodeAppend(input, inputId);
}

function decodeAppend(
  input: ClientEventFields | undefined,
  inputId: string | undefined,
): AppendEvent {
  const hints = input?.object('hints');
  const direct = {
    forceListen: input?.flag('force_listen'),
    slices: input?.slices('max_slice_nums'),
  };
  const hinted = {
    forceListen: hints?.flag('force_listen'),
    slices: hints?.slices('max_slice_nums'),
  };
  const onlyHinted = direct.forceListen === undefined && direct.slices === undefined;
  return {
    kind: 'append',
    inputId,
    audio: input?.required('audio').sound('audio') ?? new Float32Array(0),
    frames: input && decodeFrames(input),
    forceListen: direct.forceListen ?? hinted.forceListen,
    maxSlices: direct.slices ?? hinted.slices,
    flagsIn: hints !== undefined && onlyHinted ? 'hints' : undefined,
  };
}

/** Defaults to the reason with which servers confirm a close without one. */
function decodeSessionClose(frame: ClientEventFields): CloseSessionEvent {
  return { kind: 'close', reason: frame.text('reason') ?? 'client_closed' };
}

type Decoder = (frame: ClientEventFields, reading: ClientDecodeOptions) => ClientEvent;

const decoders: Readonly<Record<DialectName, ReadonlyMap<string, Decoder>>> = {
  unified: new Map<string, Decoder>([
    ['session.init', decodeSessionInit],
    ['input.append', decodeInputAppend],
    ['input.tool_result', decodeToolResult],
    ['session.close', decodeSessionClose],
  ]),
  legacy: new Map<string, Decoder>([
    ['session.update', decodeSessionUpdate],
    ['input_audio_buffer.append', decodeBufferAppend],
    ['session.close', decodeSessionClose],
  ]),
};

export function decodeClientEvent(
  text: string,
  dialect: DialectName,
  base64: Base64,
  reading: ClientDecodeOptions = {},
): ClientEvent | ClientEventProblem {
  const read = readClientFrame(text);
  return 'problem' in read ? read.problem : decodeClientFrame(read.frame, dialect, base64, reading);
}

type ReadFrame = { readonly frame: JsonObject } | { readonly problem: ClientEventProblem };

/** Parses the frame as JSON, unless it would take too long. */
export function readClientFrame(text: string): ReadFrame {
  if (!isSimpleJson(text, maxClientText)) {
    const message = 'the frame has more JSON than any event has';
    return { problem: { kind: 'problem', code: 'invalid_payload', message } };
  }
  const frame = parseFrame(text);
  if (frame !== undefined) return { frame };
  const message = 'the frame is not a JSON object';
  return { problem: { kind: 'problem', code: 'bad_json', message } };
}

export function decodeClientFrame(
  frame: JsonObject,
  dialect: DialectName,
  base64: Base64,
  reading: ClientDecodeOptions,
): ClientEvent | ClientEventProblem {
  const problems = new DecodeProblems();
  // This changes no legacy frame, because only the unified dialect has the rewritten fields.
  const read = reading.lenient === true ? lenientClientFrame(frame) : frame;
  const fields = new ClientEventFields(read, '', problems, base64);
  const type = fields.required('type').text('type');
  if (problems.first !== undefined) return problems.first;
  const decoder = decoders[dialect].get(type ?? '');
  if (decoder === undefined) return unknownEvent(type ?? '');
  const event = decoder(fields, reading);
  return problems.first ?? event;
}

function unknownEvent(type: string): ClientEventProblem {
  return { kind: 'problem', code: 'unknown_event', message: `unknown event type: ${type}` };
}

function decodeChat(input: ClientEventFields, inputId: string | undefined): ChatTurnEvent {
  const generation = input.object('generation');
  const tts = input.object('tts');
  return {
    kind: 'chat',
    inputId,
    messages: decodeMessages(input),
    streaming: input.flag('streaming'),
    maxNewTokens: generation?.number('max_new_tokens'),
    lengthPenalty: generation?.number('length_penalty'),
    maxSlices: input.object('image')?.slices('max_slice_nums'),
    omni: input.flag('omni_mode'),
    speech: tts && decodeSpeech(tts),
    useTtsTemplate: input.flag('use_tts_template'),
    thinking: input.flag('enable_thinking'),
  };
}

function decodeMessages(input: ClientEventFields): readonly ChatMessage[] {
  const messages = input.items('messages', (items, key) => {
    const message = items.object(key);
    return message && decodeMessage(message);
  });
  if (messages?.length === 0) input.invalid('messages', 'must not be empty');
  return messages ?? [];
}

function decodeSpeech(tts: ClientEventFields): ChatSpeech {
  return { enabled: tts.flag('enabled') ?? false, voice: tts.sound('ref_audio_data') };
}

function decodeMessage(message: ClientEventFields): ChatMessage | undefined {
  const role = message.required('role').text('role');
  if (role !== 'system' && role !== 'user' && role !== 'assistant') {
    return message.invalid('role', 'must be system, user or assistant');
  }
  message.required('content');
  return { role, content: decodeContent(message) };
}

function decodeContent(message: ClientEventFields): ChatMessage['content'] {
  if (!message.isList('content')) return message.text('content') ?? '';
  const parts = message.items('content', (items, key) => {
    const part = items.object(key);
    return part && decodePart(part);
  });
  return parts ?? [];
}

function decodePart(part: ClientEventFields): ContentPart | undefined {
  const type = part.required('type').text('type');
  if (type === 'text') return { type, text: part.required('text').text('text') ?? '' };
  if (type === 'image') {
    return { type, image: part.required('data').bytes('data') ?? new Uint8Array(0) };
  }
  if (type === 'audio') {
    return { type, audio: part.required('data').sound('data') ?? new Float32Array(0) };
  }
  const video = type === 'video' ? part.json('raw') : undefined;
  if (video !== undefined) return { type: 'video', raw: video };
  return part.invalid('type', 'must be text, image or audio');
}

function decodeSessionUpdate(
  frame: ClientEventFields,
  { lenient = false }: ClientDecodeOptions,
): ConfigureEvent {
  const session = (lenient ? frame : frame.required('session')).object('session');
  const model = session && wavOrRawVoice(session, 'ref_audio');
  const speech = session && wavOrRawVoice(session, 'tts_ref_audio');
  const hasNoVoice = model === undefined && speech === undefined;
  return {
    kind: 'configure',
    settings: {
      instructions: (lenient ? session : session?.required('instructions'))?.text('instructions'),
      maxSlices: session?.slices('max_slice_nums'),
      voice: hasNoVoice ? undefined : { model, speech },
    },
  };
}

/** The API documents say WAV, deployed servers read raw float32; the first characters distinguish them. */
function wavOrRawVoice(session: ClientEventFields, key: string): Float32Array | undefined {
  if (!session.startsWith(key, 'UklGR')) return session.sound(key);
  const file = session.bytes(key);
  if (file === undefined) return undefined;
  const wav = decodeWav(file);
  if (!wav.ok) return session.invalid(key, `WAV decode failed: ${englishErrorMessage(wav.error)}`);
  if (wav.value.rate === inputRate && wav.value.channels === 1) return wav.value.samples;
  return session.invalid(key, `must be a mono WAV of ${String(inputRate)} Hz`);
}

function decodeBufferAppend(frame: ClientEventFields): AppendEvent {
  return {
    kind: 'append',
    inputId: frame.text('input_id'),
    audio: frame.required('audio').sound('audio') ?? new Float32Array(0),
    frames: decodeFrames(frame),
    forceListen: frame.flag('force_listen'),
    maxSlices: frame.slices('max_slice_nums'),
  };
}

// Undocumented forms that deployed unified servers accept, converted to the documented ones: other
// names of media, numbers and flags of other types, and unknown message parts.

const fieldAliases: Readonly<Record<string, readonly string[]>> = {
  audio: ['audio_base64', 'audio_data'],
  video_frames: ['frames', 'frame_base64_list'],
};

const knownParts: ReadonlySet<unknown> = new Set(['text', 'image', 'audio']);

/** Text fields, which are never converted to numbers. */
const textFields = new Set([
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
const flagFields = new Set([
  'force_listen',
  'generate_audio',
  'streaming',
  'omni_mode',
  'enabled',
  'use_tts_template',
  'enable_thinking',
]);

function lenientClientFrame(frame: JsonObject): JsonObject {
  const { input, payload } = frame;
  return {
    ...frame,
    ...(isJsonObject(input) && { input: lenientInput(input) }),
    ...(isJsonObject(payload) && { payload: lenientValues(payload) }),
  };
}

function lenientInput(input: JsonObject): JsonObject {
  const named: Record<string, JsonValue> = { ...input };
  for (const [name, others] of Object.entries(fieldAliases)) {
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
  const content = message['content'].flatMap((part): readonly JsonValue[] => {
    if (!isJsonObject(part)) return [part];
    // The decoder accepts only this form of a video. So a strict server, which skips this function, refuses a video.
    if (part['type'] === 'video') return [{ type: 'video', raw: part }];
    return knownParts.has(part['type']) ? [part] : [];
  });
  return { ...message, content };
}

/** Converts numbers and flags in an object and nested ones; lists stay unchanged. */
function lenientValues(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, lenientValue(key, value)]),
  );
}

function lenientValue(key: string, value: JsonValue): JsonValue {
  if (isJsonObject(value)) return lenientValues(value);
  if (flagFields.has(key)) return toFlag(value);
  if (typeof value !== 'string' || textFields.has(key) || value.length > 32) return value;
  const number = Number(value);
  return value.trim() !== '' && Number.isFinite(number) ? number : value;
}

function toFlag(value: JsonValue): JsonValue {
  if (value === 1 || value === 'true' || value === '1') return true;
  return value === 0 || value === 'false' || value === '0' ? false : value;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
