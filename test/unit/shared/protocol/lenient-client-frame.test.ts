import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { ClientEvent, ClientEventProblem } from '../../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { jpeg, jpegText, sound, soundText } from './wire-vectors.ts';

const { decodeClientEvent } = createServerCodec(bufferBase64);

function read(frame: object, lenient = true): ClientEvent | ClientEventProblem {
  return decodeClientEvent(JSON.stringify(frame), 'unified', { lenient });
}

const input = (fields: object) => ({ type: 'input.append', input: fields });
const init = (payload: object) => ({ type: 'session.init', payload });
const other = 'AAAAAAAAAAA=';

describe('media fields under the names that deployed servers accept', () => {
  it.each([
    ['audio_base64', { audio_base64: soundText }],
    ['audio_data', { audio_data: soundText }],
    [
      'audio_data beside an audio_base64 that is null',
      { audio_base64: null, audio_data: soundText },
    ],
    ['audio_base64 before audio_data', { audio_base64: soundText, audio_data: other }],
    ['audio_base64 beside an audio that is null', { audio: null, audio_base64: soundText }],
    ['an object with its data', { audio: { data: soundText } }],
  ])('are read as sound: %s', (_name, fields) => {
    expect(read(input(fields))).toEqual({ kind: 'append', audio: sound });
  });

  it.each([
    ['frames', { frames: [jpegText, jpegText] }, 2],
    ['frame_base64_list', { frame_base64_list: [jpegText] }, 1],
    ['one picture that is no list', { frame_base64_list: jpegText }, 1],
    ['one picture of the documented name', { video_frames: jpegText }, 1],
  ])('are read as pictures: %s', (_name, fields, count) => {
    const frames = Array.from({ length: count }, () => jpeg);
    expect(read(input({ audio: soundText, ...fields }))).toEqual({
      kind: 'append',
      audio: sound,
      frames,
    });
  });

  it('yield to fields with the documented name', () => {
    const fields = { audio: soundText, audio_base64: other, frames: [other] };
    expect(read(input({ ...fields, video_frames: [jpegText] }))).toEqual({
      kind: 'append',
      audio: sound,
      frames: [jpeg],
    });
  });

  it('are reported missing when absent, even in an object without data', () => {
    for (const fields of [{}, { audio: {} }, { audio_base64: null, audio_data: null }]) {
      expect(read(input(fields))).toEqual({
        kind: 'problem',
        code: 'missing_field',
        message: 'input.audio field is required',
      });
    }
  });

  it('are ignored by a server that accepts only documented names', () => {
    expect(read(input({ audio_base64: soundText }), false)).toMatchObject({ kind: 'problem' });
  });
});

describe('numbers and flags written as other types', () => {
  it.each([
    [1, true],
    ['1', true],
    ['true', true],
    [true, true],
    [0, false],
    ['0', false],
    ['false', false],
    [false, false],
  ])('are read as a flag: %j', (written, flag) => {
    const event = read(input({ audio: soundText, force_listen: written }));
    expect(event).toEqual({ kind: 'append', audio: sound, forceListen: flag });
  });

  it.each(['', 'yes', 2, 'TRUE'])('are not flags: %j', (written) => {
    expect(read(input({ audio: soundText, force_listen: written }))).toMatchObject({
      message: 'input.force_listen must be true or false',
    });
  });

  it('are read as numbers at any depth', () => {
    const hints = { max_slice_nums: '3' };
    expect(read(input({ audio: soundText, hints }))).toMatchObject({ maxSlices: 3 });
    const longest = `0.5${'0'.repeat(29)}`;
    expect(read(init({ config: { top_k: ' 20', top_p: longest } }))).toMatchObject({
      settings: { generation: { topK: 20, topP: 0.5 } },
    });
  });

  it.each(['', ' ', 'many', '1e999', `0.5${'0'.repeat(30)}`])('are not numbers: %j', (written) => {
    expect(read(init({ config: { top_k: written } }))).toMatchObject({
      message: 'payload.config.top_k must be a number',
    });
  });

  it('stay text in fields that hold text', () => {
    const payload = { system_prompt: '42', config: { ls_mode: '1' }, mode: '7' };
    expect(read(init(payload))).toEqual({
      kind: 'configure',
      runtimeMode: '7',
      settings: { instructions: '42', generation: { lsMode: '1' } },
    });
    expect(read(input({ audio: soundText, input_id: '12' }))).toMatchObject({ inputId: '12' });
  });
});

it('a session.init ignores its mode in strict reading, and is refused without a payload', () => {
  expect(read(init({ mode: 'audio' }), false)).toEqual({ kind: 'configure', settings: {} });
  expect(read({ type: 'session.init' })).toMatchObject({ code: 'missing_field' });
});

describe('messages with unknown parts', () => {
  const chat = (...messages: readonly unknown[]) => read(input({ messages }));

  it('are read without those parts', () => {
    const known = { type: 'text', text: '7' };
    const content = [known, { type: 'smell' }, {}];
    expect(chat({ role: 'user', content }, { role: 'assistant', content: 'so' })).toMatchObject({
      kind: 'chat',
      messages: [
        { role: 'user', content: [known] },
        { role: 'assistant', content: 'so' },
      ],
    });
  });

  it('keep a video unchanged, because only a model server can process it', () => {
    const video = { type: 'video', data: 'AAAA', fps: '2' };
    expect(chat({ role: 'user', content: [video] })).toMatchObject({
      messages: [{ role: 'user', content: [{ type: 'video', raw: video }] }],
    });
  });

  it('are refused with a video by a strict server', () => {
    const video = { type: 'video', data: 'AAAA' };
    const frame = input({ messages: [{ role: 'user', content: [video] }] });
    expect(read(frame, false)).toMatchObject({ kind: 'problem', code: 'invalid_payload' });
  });

  it('are refused if a part or a message is not an object', () => {
    expect(chat({ role: 'user', content: ['so'] })).toMatchObject({
      message: 'input.messages[0].content[0] must be an object',
    });
    expect(chat('so')).toMatchObject({ message: 'input.messages[0] must be an object' });
    expect(read(input({ messages: 'so' }))).toMatchObject({
      message: 'input.messages must be a list',
    });
  });
});
