import type { DialectName, Mode } from '../../shared/protocol/realtime-api.ts';
import { wavText } from '../unit/shared/protocol/wire-vectors.ts';
import type { SessionStage } from './document-checks.ts';

const chunk = Buffer.alloc(16_000).toString('base64');
const jpeg = '/9j/2Q==';
const goodChat = { messages: [{ role: 'user', content: 'Reply with exactly: test' }] };

function init(payload: unknown): object {
  return { type: 'session.init', payload };
}
function input(fields: object): object {
  return { type: 'input.append', input: fields };
}
function update(session: object): object {
  return { type: 'session.update', session };
}
function append(fields: object): object {
  return { type: 'input_audio_buffer.append', audio: chunk, ...fields };
}
function withNan(): string {
  const samples = new Float32Array(4000);
  samples[1] = Number.NaN;
  return Buffer.from(samples.buffer).toString('base64');
}
/** The valid voice with one byte changed. */
function wavWith(at: number, byte: number): string {
  const bytes = Buffer.from(wavText, 'base64');
  bytes[at] = byte;
  return bytes.toString('base64');
}

type InvalidFrame = readonly [DialectName, Mode, SessionStage, frame: unknown, violation: string];

const frames: readonly InvalidFrame[] = [
  ['unified', 'audio', 'active', 7, 'the frame is not an object'],
  ['unified', 'audio', 'active', {}, 'type is not a string'],
  [
    'unified',
    'audio',
    'connected',
    update({ instructions: '' }),
    'session.update is no event of the unified dialect',
  ],
  ['unified', 'audio', 'queued', init({}), 'session.init is sent before queue_done'],
  ['unified', 'audio', 'closed', input({ audio: chunk }), 'input.append is sent after the end'],
  ['unified', 'audio', 'connected', input({ audio: chunk }), 'input.append is sent before created'],
  ['unified', 'audio', 'active', init({}), 'session.init is sent a second time'],
  ['unified', 'audio', 'connected', { type: 'session.init' }, 'session.init.payload is missing'],
  ['unified', 'audio', 'connected', init(null), 'session.init.payload is not an object'],
  [
    'unified',
    'audio',
    'connected',
    init({ prompt: '' }),
    'session.init.payload.prompt is in no document',
  ],
  [
    'unified',
    'chat',
    'connected',
    init({ system_prompt: '' }),
    'session.init.payload.system_prompt is in no document',
  ],
  [
    'unified',
    'audio',
    'connected',
    init({ config: { length_penalty: '1' } }),
    'session.init.payload.config.length_penalty is not a number',
  ],
  [
    'unified',
    'audio',
    'connected',
    init({ voice: { ref_audio_base64: wavText } }),
    'session.init.payload.voice.ref_audio_base64 is a WAV file, not raw samples',
  ],
  ['unified', 'audio', 'active', input({}), 'input.append.input.audio is missing'],
  ['unified', 'audio', 'active', input({ audio: 5 }), 'input.append.input.audio is not a string'],
  [
    'unified',
    'audio',
    'active',
    input({ audio: '_-__' }),
    'input.append.input.audio is not base64',
  ],
  [
    'unified',
    'audio',
    'active',
    input({ audio: 'AAAAAAA=' }),
    'input.append.input.audio is no whole number of float32 samples',
  ],
  [
    'unified',
    'audio',
    'active',
    input({ audio: 'AAAAAA==' }),
    'input.append.input.audio has 1 samples, fewer than 4000',
  ],
  [
    'unified',
    'audio',
    'active',
    input({ audio: withNan() }),
    'input.append.input.audio has a sample that is no number',
  ],
  [
    'unified',
    'audio',
    'active',
    input({ audio: chunk, video_frames: [jpeg] }),
    'input.append.input.video_frames is in no document',
  ],
  [
    'unified',
    'video',
    'active',
    input({ audio: chunk, video_frames: [jpeg, 'AAAA'] }),
    'input.append.input.video_frames[1] is not a JPEG',
  ],
  [
    'unified',
    'video',
    'active',
    input({ audio: chunk, video_frames: jpeg }),
    'input.append.input.video_frames is not a list',
  ],
  [
    'unified',
    'video',
    'active',
    input({ audio: chunk, max_slice_nums: 0 }),
    'input.append.input.max_slice_nums is not from 1 to 9',
  ],
  [
    'unified',
    'video',
    'active',
    input({ audio: chunk, hints: { max_slice_nums: 1.5 } }),
    'input.append.input.hints.max_slice_nums is not a whole number',
  ],
  [
    'unified',
    'video',
    'active',
    input({ audio: chunk, force_listen: 1 }),
    'input.append.input.force_listen is not true or false',
  ],
  ['unified', 'chat', 'active', input({}), 'input.append.input.messages is missing'],
  [
    'unified',
    'chat',
    'active',
    input({ messages: [] }),
    'input.append.input.messages has fewer than 1',
  ],
  [
    'unified',
    'chat',
    'active',
    input({ messages: [{ role: 'robot', content: '' }] }),
    'input.append.input.messages[0].role is not one of system, user, assistant',
  ],
  [
    'unified',
    'chat',
    'active',
    input({ messages: [{ role: 'user', content: [{ type: 'smell' }] }] }),
    'input.append.input.messages[0].content[0] is no part of a message',
  ],
  [
    'unified',
    'chat',
    'active',
    input({ messages: [{ role: 'user', content: [{ type: 'image', data: 'AAAA' }] }] }),
    'input.append.input.messages[0].content[0].data is neither a JPEG nor a PNG',
  ],
  [
    'unified',
    'chat',
    'active',
    input({ ...goodChat, generation: { max_new_tokens: 1.5 } }),
    'input.append.input.generation.max_new_tokens is not a whole number',
  ],
  [
    'unified',
    'chat',
    'active',
    { type: 'session.close', reason: 4 },
    'session.close.reason is not a string',
  ],
  ['legacy', 'chat', 'active', { type: 'session.close' }, 'legacy has no chat'],
  [
    'legacy',
    'audio',
    'connected',
    { type: 'session.close' },
    'session.close is sent before created',
  ],
  ['legacy', 'audio', 'connected', update({}), 'session.update.session.instructions is missing'],
  [
    'legacy',
    'audio',
    'connected',
    update({ instructions: '', max_slice_nums: 1 }),
    'session.update.session.max_slice_nums is in no document',
  ],
  [
    'legacy',
    'video',
    'connected',
    update({ instructions: '', ref_audio: chunk }),
    'session.update.session.ref_audio is no WAV file',
  ],
  [
    'legacy',
    'video',
    'connected',
    update({ instructions: '', ref_audio: wavWith(24, 0) }),
    'session.update.session.ref_audio is not 16 kHz',
  ],
  [
    'legacy',
    'video',
    'connected',
    update({ instructions: '', ref_audio: wavWith(22, 2) }),
    'session.update.session.ref_audio is not mono',
  ],
  [
    'legacy',
    'video',
    'connected',
    update({ instructions: '', ref_audio: wavWith(20, 1) }),
    'session.update.session.ref_audio is not float PCM',
  ],
  [
    'legacy',
    'video',
    'connected',
    update({ instructions: '', ref_audio: wavWith(4, 0) }),
    'session.update.session.ref_audio does not say its true length',
  ],
  [
    'legacy',
    'audio',
    'active',
    append({ video_frames: [jpeg] }),
    'input_audio_buffer.append.video_frames is in no document',
  ],
  [
    'legacy',
    'audio',
    'active',
    append({ input_id: '1' }),
    'input_audio_buffer.append.input_id is in no document',
  ],
  [
    'legacy',
    'video',
    'active',
    append({ max_slice_nums: 10 }),
    'input_audio_buffer.append.max_slice_nums is not from 1 to 9',
  ],
];

/** Each frame breaks one rule; the violation precedes the frame, for the test's name. */
export const invalidFrames = frames.map(
  ([dialect, mode, stage, frame, violation]) => [dialect, mode, stage, violation, frame] as const,
);
