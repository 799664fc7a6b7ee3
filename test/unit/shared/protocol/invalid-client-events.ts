import type { ClientEventProblem, DialectName } from '../../../../shared/protocol/realtime-api.ts';
import { jpegText, soundText, wavText } from './wire-media.ts';

const stereo = 'UklGRigAAABXQVZFZm10IBAAAAABAAIAgD4AAAD6AAAEABAAZGF0YQQAAAAAQADg';
const fastWav = 'UklGRigAAABXQVZFZm10IBAAAAABAAEAwF0AAAB9AAACABAAZGF0YQQAAAAAQADg';

/** A frame, and the documented reason why a server refuses it. */
type InvalidEvent = readonly [
  DialectName,
  frame: string | object,
  ClientEventProblem['code'],
  message: string,
];

export const invalidClientEvents: readonly InvalidEvent[] = [
  ['unified', '{"type":', 'bad_json', 'the frame is not a JSON object'],
  ['unified', '[1]', 'bad_json', 'the frame is not a JSON object'],
  ['unified', {}, 'missing_field', 'type field is required'],
  ['legacy', { type: 3 }, 'invalid_payload', 'type must be a string'],
  ['unified', { type: 'session.pause' }, 'unknown_event', 'unknown event type: session.pause'],
  ['unified', { type: 'session.update' }, 'unknown_event', 'unknown event type: session.update'],
  [
    'unified',
    { type: 'input_audio_buffer.append' },
    'unknown_event',
    'unknown event type: input_audio_buffer.append',
  ],
  ['legacy', { type: 'session.init' }, 'unknown_event', 'unknown event type: session.init'],
  ['legacy', { type: 'input.append' }, 'unknown_event', 'unknown event type: input.append'],
  ['legacy', { type: 'toString' }, 'unknown_event', 'unknown event type: toString'],
  ['unified', { type: 'session.close', reason: 1 }, 'invalid_payload', 'reason must be a string'],
  init(undefined, 'missing_field', 'payload field is required'),
  init('x', 'invalid_payload', 'payload must be an object'),
  init({ system_prompt: 1 }, 'invalid_payload', 'payload.system_prompt must be a string'),
  init({ config: [] }, 'invalid_payload', 'payload.config must be an object'),
  init({ config: { top_k: '9' } }, 'invalid_payload', 'payload.config.top_k must be a number'),
  init(
    { config: { generate_audio: 1 } },
    'invalid_payload',
    'payload.config.generate_audio must be true or false',
  ),
  init(
    { voice: { ref_audio_base64: wavText } },
    'invalid_payload',
    'payload.voice.ref_audio_base64 must be raw float32 PCM, not WAV',
  ),
  init(
    { voice: { tts_ref_audio_base64: '*' } },
    'invalid_payload',
    'payload.voice.tts_ref_audio_base64 base64 decode failed',
  ),
  input(undefined, 'missing_field', 'input field is required'),
  input({}, 'missing_field', 'input.audio field is required'),
  input({ audio: 5 }, 'invalid_payload', 'input.audio must be a string'),
  input({ audio: 'AA' }, 'invalid_payload', 'input.audio base64 decode failed'),
  input(
    { audio: 'AAAA' },
    'invalid_payload',
    'input.audio must be float32 PCM: its bytes are no multiple of 4',
  ),
  input(
    { audio: soundText, video_frames: jpegText },
    'invalid_payload',
    'input.video_frames must be a list',
  ),
  input(
    { audio: soundText, video_frames: [null] },
    'missing_field',
    'input.video_frames[0] field is required',
  ),
  input(
    { audio: soundText, video_frames: [jpegText, soundText] },
    'invalid_payload',
    'input.video_frames[1] JPEG decode failed',
  ),
  input(
    { audio: soundText, video_frames: ['/wD/2Q=='] },
    'invalid_payload',
    'input.video_frames[0] JPEG decode failed',
  ),
  input(
    { audio: soundText, video_frames: ['ANj/2Q=='] },
    'invalid_payload',
    'input.video_frames[0] JPEG decode failed',
  ),
  input(
    { audio: soundText, max_slice_nums: 0 },
    'invalid_payload',
    'input.max_slice_nums must be an integer from 1 to 9',
  ),
  input(
    { audio: soundText, force_listen: 'no' },
    'invalid_payload',
    'input.force_listen must be true or false',
  ),
  input(
    { audio: soundText, max_slice_nums: 10 },
    'invalid_payload',
    'input.max_slice_nums must be an integer from 1 to 9',
  ),
  input(
    { audio: soundText, hints: { max_slice_nums: 1.5 } },
    'invalid_payload',
    'input.hints.max_slice_nums must be an integer from 1 to 9',
  ),
  input({ audio: soundText, input_id: 4 }, 'invalid_payload', 'input.input_id must be a string'),
  input({ messages: 'Hi' }, 'invalid_payload', 'input.messages must be a list'),
  input({ messages: [] }, 'invalid_payload', 'input.messages must not be empty'),
  input({ messages: ['Hi'] }, 'invalid_payload', 'input.messages[0] must be an object'),
  messages(
    [{ role: 'robot', content: '' }],
    'invalid_payload',
    'input.messages[0].role must be system, user or assistant',
  ),
  messages([{ role: 'user' }], 'missing_field', 'input.messages[0].content field is required'),
  messages(
    [{ role: 'user', content: 5 }],
    'invalid_payload',
    'input.messages[0].content must be a string',
  ),
  messages(
    [{ role: 'user', content: [{ type: 'text' }] }],
    'missing_field',
    'input.messages[0].content[0].text field is required',
  ),
  messages(
    [{ role: 'user', content: [{ type: 'smell' }] }],
    'invalid_payload',
    'input.messages[0].content[0].type must be text, image or audio',
  ),
  messages(
    [{ role: 'user', content: [{ type: 'image', data: '!' }] }],
    'invalid_payload',
    'input.messages[0].content[0].data base64 decode failed',
  ),
  update(undefined, 'missing_field', 'session field is required'),
  update({}, 'missing_field', 'session.instructions field is required'),
  update(
    { instructions: '', ref_audio: 'UklGRigA' },
    'invalid_payload',
    'session.ref_audio WAV decode failed: This is not a WAV file.',
  ),
  update(
    { instructions: '', ref_audio: 'AAAA' },
    'invalid_payload',
    'session.ref_audio must be float32 PCM: its bytes are no multiple of 4',
  ),
  update(
    { instructions: '', ref_audio: fastWav },
    'invalid_payload',
    'session.ref_audio must be a mono WAV of 16000 Hz',
  ),
  update(
    { instructions: '', tts_ref_audio: stereo },
    'invalid_payload',
    'session.tts_ref_audio must be a mono WAV of 16000 Hz',
  ),
  ['legacy', { type: 'input_audio_buffer.append' }, 'missing_field', 'audio field is required'],
  [
    'legacy',
    { type: 'input_audio_buffer.append', audio: '####' },
    'invalid_payload',
    'audio base64 decode failed',
  ],
];

function init(payload: unknown, code: ClientEventProblem['code'], message: string): InvalidEvent {
  return ['unified', { type: 'session.init', payload }, code, message];
}

function input(fields: unknown, code: ClientEventProblem['code'], message: string): InvalidEvent {
  return ['unified', { type: 'input.append', input: fields }, code, message];
}

function messages(list: unknown, code: ClientEventProblem['code'], message: string): InvalidEvent {
  return input({ messages: list }, code, message);
}

function update(session: unknown, code: ClientEventProblem['code'], message: string): InvalidEvent {
  return ['legacy', { type: 'session.update', session }, code, message];
}
