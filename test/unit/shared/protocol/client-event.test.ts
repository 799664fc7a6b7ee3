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
import { clientEventVectors } from './client-event-vectors.ts';
import { invalidClientEvents } from './invalid-client-events.ts';
import { sound, soundText } from './wire-media.ts';

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

  it('may carry its id outside the input', () => {
    const frame = { type: 'input.append', input_id: '5', input: { audio: soundText } };
    expect(read(frame, 'unified')).toMatchObject({ inputId: '5' });
  });

  it('may name the prompt "instructions"', () => {
    const frame = { type: 'session.init', payload: { instructions: 'Be kind.' } };
    expect(read(frame, 'unified')).toMatchObject({ settings: { instructions: 'Be kind.' } });
  });

  it('may set one flag at the top level and another in the hints', () => {
    const input = { audio: soundText, force_listen: true, hints: { max_slice_nums: 3 } };
    expect(read({ type: 'input.append', input }, 'unified')).toEqual({
      kind: 'append',
      audio: sound,
      forceListen: true,
      maxSlices: 3,
    });
  });

  it('may set one flag in the hints and another beside them', () => {
    const input = { audio: soundText, max_slice_nums: 3, hints: { force_listen: true } };
    expect(read({ type: 'input.append', input }, 'unified')).toEqual({
      kind: 'append',
      audio: sound,
      forceListen: true,
      maxSlices: 3,
    });
  });

  it('may set only the reference voice, only the voice for speech, or none', () => {
    const voiceOf = (fields: object): unknown =>
      read({ type: 'session.update', session: { instructions: '', ...fields } }, 'legacy');
    expect(voiceOf({ ref_audio: soundText })).toMatchObject({
      settings: { voice: { model: sound } },
    });
    const speech = voiceOf({ tts_ref_audio: soundText });
    expect(speech).toMatchObject({ settings: { voice: { speech: sound } } });
    expect(voiceOf({})).toEqual({ kind: 'configure', settings: { instructions: '' } });
  });

  it('may carry its id in the legacy dialect as well', () => {
    const frame = { type: 'input_audio_buffer.append', audio: soundText, input_id: '5' };
    expect(read(frame, 'legacy')).toMatchObject({ inputId: '5' });
  });

  it("may set the answer's voice without requesting speech", () => {
    const tts = { ref_audio_data: soundText };
    const input = { messages: [{ role: 'user', content: 'Hi' }], tts };
    expect(read({ type: 'input.append', input }, 'unified')).toMatchObject({
      speech: { enabled: false, voice: sound },
    });
  });

  it("is checked against the session's mode where the server knows it", () => {
    const input = { audio: soundText, messages: [{ role: 'user', content: 'Hi' }] };
    const kindIn = (mode: 'chat' | 'audio'): string =>
      decodeClientEvent(JSON.stringify({ type: 'input.append', input }), 'unified', { mode }).kind;
    expect([kindIn('chat'), kindIn('audio')]).toEqual(['chat', 'append']);
    const without = '{"type":"input.append"}';
    expect(decodeClientEvent(without, 'unified', { mode: 'chat' })).toMatchObject({
      message: 'input field is required',
    });
  });

  it('may close without a reason', () => {
    expect(read({ type: 'session.close' }, 'unified')).toEqual({
      kind: 'close',
      reason: 'client_closed',
    });
  });

  it('may have invalid samples, which become silence', () => {
    const frame = { type: 'input.append', input: { audio: 'AAAAPwAAwH8AAID/AACAfw==' } };
    expect(read(frame, 'unified')).toMatchObject({ audio: Float32Array.of(0.5, 0, 0, 0) });
  });
});

describe('a client event that cannot be read', () => {
  it.each(invalidClientEvents)(
    'is refused with the documented reason: %s %j',
    (dialect, frame, code, message) => {
      const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
      expect(decodeClientEvent(text, dialect)).toEqual({ kind: 'problem', code, message });
    },
  );
});

it('the written fields are those of the settings that were set', () => {
  const options = { topK: undefined, topP: 0.5, temperature: NaN, other: { beams: 2 } };
  expect(Object.keys(encodeGeneration(options))).toEqual(['top_p', 'beams']);
});

it('the read settings are those of the fields that were set', () => {
  const frame = { type: 'session.init', payload: { config: { top_p: 0.5, top_k: null } } };
  const event = decodeClientEvent(JSON.stringify(frame), 'unified');
  if (event.kind !== 'configure') throw new Error(event.kind);
  // A key without a value would overwrite a setting known from elsewhere.
  expect(Object.keys(event.settings.generation ?? {})).toEqual(['topP']);
});
