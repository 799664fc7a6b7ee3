import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import {
  type ClientEvent,
  type ClientEventProblem,
  encodeGeneration,
  type DialectName,
} from '../../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { clientEventVectors, jpegText, sound, soundText, wavText } from './wire-vectors.ts';

const { encodeClientEvent } = createClientCodec(bufferBase64);
const { decodeClientEvent } = createServerCodec(bufferBase64);

function written(event: ClientEvent, dialect: DialectName): unknown {
  return JSON.parse(encodeClientEvent(event, dialect));
}

function read(frame: object, dialect: DialectName): ClientEvent | ClientEventProblem {
  return decodeClientEvent(JSON.stringify(frame), dialect);
}

describe('a documented client event', () => {
  it.each(clientEventVectors)(
    'is written, and read back unchanged: $dialect $name',
    ({ event, frame, dialect }) => {
      expect(written(event, dialect)).toEqual(frame);
      expect(read(frame, dialect)).toEqual(event);
    },
  );

  it('carries the prompt that legacy requires even when the user gave none', () => {
    expect(written({ kind: 'configure', settings: {} }, 'legacy')).toEqual({
      type: 'session.update',
      session: { instructions: 'You are a helpful assistant.' },
    });
  });

  it('carries a voice as raw samples where a legacy server reads those', () => {
    const configure = { kind: 'configure', settings: { voice: { model: sound } } } as const;
    const instructions = 'You are a helpful assistant.';
    expect(written({ ...configure, voiceForm: 'float32' }, 'legacy')).toEqual({
      type: 'session.update',
      session: { instructions, ref_audio: soundText },
    });
    expect(written({ ...configure, voiceForm: 'wav' }, 'legacy')).toEqual(
      written(configure, 'legacy'),
    );
  });

  it('leaves out the fields that the dialect lacks', () => {
    const append = { kind: 'append', audio: sound, inputId: '1', flagsIn: 'hints' } as const;
    expect(written({ ...append, maxSlices: 2 }, 'legacy')).toEqual({
      type: 'input_audio_buffer.append',
      audio: soundText,
      max_slice_nums: 2,
    });
    const settings = { maxSlices: 2, voice: {}, generation: {} };
    expect(written({ kind: 'configure', settings }, 'unified')).toEqual({
      type: 'session.init',
      payload: {},
    });
  });

  it('clamps numbers to the ranges that servers accept', () => {
    const slicesOf = (maxSlices: number): unknown =>
      written({ kind: 'append', audio: new Float32Array(0), maxSlices }, 'legacy');
    expect(slicesOf(0)).toMatchObject({ max_slice_nums: 1 });
    expect(slicesOf(12)).toMatchObject({ max_slice_nums: 9 });
    expect(slicesOf(2.4)).toMatchObject({ max_slice_nums: 2 });
    expect(slicesOf(Number.NaN)).not.toHaveProperty('max_slice_nums');
    const settings = { generation: { topK: Number.POSITIVE_INFINITY, topP: 0.5 } };
    expect(encodeClientEvent({ kind: 'configure', settings }, 'unified')).toBe(
      '{"type":"session.init","payload":{"config":{"top_p":0.5}}}',
    );
  });

  it('is not written in a dialect that lacks it', () => {
    expect(() => encodeClientEvent({ kind: 'chat', messages: [] }, 'legacy')).toThrow(
      'has no chat',
    );
  });
});

const inputOf = (input: object) => ({ type: 'input.append', input });

describe('a client event of other clients', () => {
  it.each(['unified', 'legacy'] as const)(
    'may have null for a missing field, and unknown fields: %s',
    (dialect) => {
      const flags = { force_listen: null, video_frames: null, volume: 3 };
      const frame =
        dialect === 'unified'
          ? { type: 'input.append', input: { audio: soundText, ...flags, hints: null } }
          : { type: 'input_audio_buffer.append', audio: soundText, ...flags };
      expect(read(frame, dialect)).toEqual({ kind: 'append', audio: sound });
    },
  );

  it('may name the prompt "instructions"', () => {
    const frame = { type: 'session.init', payload: { instructions: 'Be kind.' } };
    expect(read(frame, 'unified')).toMatchObject({ settings: { instructions: 'Be kind.' } });
  });

  const append = { kind: 'append', audio: sound };
  const speaks = {
    messages: [{ role: 'user', content: 'Hi' }],
    tts: { ref_audio_data: soundText },
  };
  const update = (fields: object) => ({
    type: 'session.update',
    session: { instructions: '', ...fields },
  });
  const invalidSamples = 'AAAAPwAAwH8AAID/AACAfw==';

  it.each<[string, DialectName, object, object]>([
    [
      'carry its id outside the input',
      'unified',
      { type: 'input.append', input_id: '5', input: { audio: soundText } },
      { ...append, inputId: '5' },
    ],
    [
      'carry its id in the legacy dialect as well',
      'legacy',
      { type: 'input_audio_buffer.append', audio: soundText, input_id: '5' },
      { ...append, inputId: '5' },
    ],
    [
      'set one flag at the top level and another in the hints',
      'unified',
      inputOf({ audio: soundText, force_listen: true, hints: { max_slice_nums: 3 } }),
      { ...append, forceListen: true, maxSlices: 3 },
    ],
    [
      'set one flag in the hints and another beside them',
      'unified',
      inputOf({ audio: soundText, max_slice_nums: 3, hints: { force_listen: true } }),
      { ...append, forceListen: true, maxSlices: 3 },
    ],
    [
      'set only the reference voice',
      'legacy',
      update({ ref_audio: soundText }),
      { kind: 'configure', settings: { instructions: '', voice: { model: sound } } },
    ],
    [
      'set only the voice for speech',
      'legacy',
      update({ tts_ref_audio: soundText }),
      { kind: 'configure', settings: { instructions: '', voice: { speech: sound } } },
    ],
    ['set no voice', 'legacy', update({}), { kind: 'configure', settings: { instructions: '' } }],
    [
      'set the answer’s voice without requesting speech',
      'unified',
      inputOf(speaks),
      { kind: 'chat', messages: speaks.messages, speech: { enabled: false, voice: sound } },
    ],
    [
      'close without a reason',
      'unified',
      { type: 'session.close' },
      { kind: 'close', reason: 'client_closed' },
    ],
    [
      'have invalid samples, which become silence',
      'unified',
      inputOf({ audio: invalidSamples }),
      { kind: 'append', audio: Float32Array.of(0.5, 0, 0, 0) },
    ],
  ])('may %s', (_what, dialect, frame, event) => {
    expect(read(frame, dialect)).toEqual(event);
  });

  it('is checked against the mode of the session if the server knows the mode', () => {
    const input = { audio: soundText, messages: [{ role: 'user', content: 'Hi' }] };
    const kindIn = (mode: 'chat' | 'audio'): string =>
      decodeClientEvent(JSON.stringify({ type: 'input.append', input }), 'unified', { mode }).kind;
    expect([kindIn('chat'), kindIn('audio')]).toEqual(['chat', 'append']);
    const without = '{"type":"input.append"}';
    expect(decodeClientEvent(without, 'unified', { mode: 'chat' })).toMatchObject({
      message: 'input field is required',
    });
  });
});

const stereo = 'UklGRigAAABXQVZFZm10IBAAAAABAAIAgD4AAAD6AAAEABAAZGF0YQQAAAAAQADg';
const fastWav = 'UklGRigAAABXQVZFZm10IBAAAAABAAEAwF0AAAB9AAACABAAZGF0YQQAAAAAQADg';
const audio = soundText;
const say = (content: unknown) => ({ messages: [{ role: 'user', content }] });

const frames: Readonly<Record<string, (fields: unknown) => readonly [DialectName, unknown]>> = {
  init: (payload) => ['unified', { type: 'session.init', payload }],
  input: (input) => ['unified', { type: 'input.append', input }],
  update: (session) => ['legacy', { type: 'session.update', session }],
  unified: (frame) => ['unified', frame],
  legacy: (frame) => ['legacy', frame],
};

describe('a client event that cannot be read', () => {
  it.each([
    ['unified', '{"type":', 'the frame is not a JSON object'],
    ['unified', '[1]', 'the frame is not a JSON object'],
    ['unified', {}, 'type field is required'],
    ['legacy', { type: 3 }, 'type must be a string'],
    ['unified', { type: 'session.update' }, 'unknown event type: session.update'],
    ['legacy', { type: 'session.init' }, 'unknown event type: session.init'],
    ['legacy', { type: 'toString' }, 'unknown event type: toString'],
    ['unified', { type: 'session.close', reason: 1 }, 'reason must be a string'],
    ['init', undefined, 'payload field is required'],
    ['init', 'x', 'payload must be an object'],
    ['init', { system_prompt: 1 }, 'payload.system_prompt must be a string'],
    ['init', { config: [] }, 'payload.config must be an object'],
    ['init', { config: { top_k: '9' } }, 'payload.config.top_k must be a number'],
    [
      'init',
      { config: { generate_audio: 1 } },
      'payload.config.generate_audio must be true or false',
    ],
    [
      'init',
      { voice: { ref_audio_base64: wavText } },
      'payload.voice.ref_audio_base64 must be raw float32 PCM, not WAV',
    ],
    [
      'init',
      { voice: { tts_ref_audio_base64: '*' } },
      'payload.voice.tts_ref_audio_base64 base64 decode failed',
    ],
    ['input', undefined, 'input field is required'],
    ['input', {}, 'input.audio field is required'],
    ['input', { audio: 5 }, 'input.audio must be a string'],
    ['input', { audio: 'AA' }, 'input.audio base64 decode failed'],
    ['input', { audio: 'AAAA' }, 'input.audio must be float32 PCM: its bytes are no multiple of 4'],
    ['input', { audio, video_frames: jpegText }, 'input.video_frames must be a list'],
    ['input', { audio, video_frames: [null] }, 'input.video_frames[0] field is required'],
    [
      'input',
      { audio, video_frames: [jpegText, soundText] },
      'input.video_frames[1] JPEG decode failed',
    ],
    ['input', { audio, video_frames: ['/wD/2Q=='] }, 'input.video_frames[0] JPEG decode failed'],
    ['input', { audio, video_frames: ['ANj/2Q=='] }, 'input.video_frames[0] JPEG decode failed'],
    ['input', { audio, max_slice_nums: 0 }, 'input.max_slice_nums must be an integer from 1 to 9'],
    ['input', { audio, max_slice_nums: 10 }, 'input.max_slice_nums must be an integer from 1 to 9'],
    [
      'input',
      { audio, hints: { max_slice_nums: 1.5 } },
      'input.hints.max_slice_nums must be an integer from 1 to 9',
    ],
    ['input', { audio, force_listen: 'no' }, 'input.force_listen must be true or false'],
    ['input', { audio, input_id: 4 }, 'input.input_id must be a string'],
    ['input', { messages: 'Hi' }, 'input.messages must be a list'],
    ['input', { messages: [] }, 'input.messages must not be empty'],
    ['input', { messages: ['Hi'] }, 'input.messages[0] must be an object'],
    [
      'input',
      { messages: [{ role: 'robot' }] },
      'input.messages[0].role must be system, user or assistant',
    ],
    ['input', say(undefined), 'input.messages[0].content field is required'],
    ['input', say(5), 'input.messages[0].content must be a string'],
    ['input', say([{ type: 'text' }]), 'input.messages[0].content[0].text field is required'],
    [
      'input',
      say([{ type: 'smell' }]),
      'input.messages[0].content[0].type must be text, image or audio',
    ],
    [
      'input',
      say([{ type: 'image', data: '!' }]),
      'input.messages[0].content[0].data base64 decode failed',
    ],
    ['update', undefined, 'session field is required'],
    ['update', {}, 'session.instructions field is required'],
    [
      'update',
      { instructions: '', ref_audio: 'UklGRigA' },
      'session.ref_audio WAV decode failed: This is not a WAV file.',
    ],
    [
      'update',
      { instructions: '', ref_audio: 'AAAA' },
      'session.ref_audio must be float32 PCM: its bytes are no multiple of 4',
    ],
    [
      'update',
      { instructions: '', ref_audio: 'UklGR###' },
      'session.ref_audio base64 decode failed',
    ],
    [
      'update',
      { instructions: '', ref_audio: fastWav },
      'session.ref_audio must be a mono WAV of 16000 Hz',
    ],
    [
      'update',
      { instructions: '', tts_ref_audio: stereo },
      'session.tts_ref_audio must be a mono WAV of 16000 Hz',
    ],
    ['legacy', { type: 'input_audio_buffer.append' }, 'audio field is required'],
    ['legacy', { type: 'input_audio_buffer.append', audio: '####' }, 'audio base64 decode failed'],
  ])('is refused with the documented reason: %s %j', (kind, fields, message) => {
    const [dialect, frame] = frames[kind]?.(fields) ?? ['unified', fields];
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    const code = message.includes('not a JSON')
      ? 'bad_json'
      : message.includes('unknown event')
        ? 'unknown_event'
        : message.endsWith('is required')
          ? 'missing_field'
          : 'invalid_payload';
    expect(decodeClientEvent(text, dialect)).toEqual({ kind: 'problem', code, message });
  });
});

it('only the settings that were set are written as fields', () => {
  const options = { topK: undefined, topP: 0.5, temperature: NaN, other: { beams: 2 } };
  expect(Object.keys(encodeGeneration(options))).toEqual(['top_p', 'beams']);
});

it('only the fields that have values are read as settings', () => {
  const frame = { type: 'session.init', payload: { config: { top_p: 0.5, top_k: null } } };
  const event = decodeClientEvent(JSON.stringify(frame), 'unified');
  if (event.kind !== 'configure') throw new Error(event.kind);
  // A key without a value would overwrite a setting known from elsewhere.
  expect(Object.keys(event.settings.generation ?? {})).toEqual(['topP']);
});
