import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import type { ServerEvent } from '../../../../shared/protocol/realtime-api.ts';
import { serverEventVectors, sound, soundText } from './wire-vectors.ts';

const { decodeServerEvent } = createClientCodec(bufferBase64);
const { encodeServerEvent } = createServerCodec(bufferBase64);

function read(frame: object): ServerEvent {
  return decodeServerEvent(JSON.stringify(frame));
}

describe('a documented server event', () => {
  it.each(serverEventVectors)('is read, and written back unchanged: $dialect $name', (vector) => {
    expect(read(vector.frame)).toEqual(vector.event);
    const frames = encodeServerEvent(vector.event, vector.dialect).map((text): unknown =>
      JSON.parse(text),
    );
    expect(frames).toEqual([vector.frame]);
  });

  it('is written as two frames if it has text and sound and the dialect is unified', () => {
    const both = {
      kind: 'output',
      wire: 'unified',
      text: 'Hi',
      audio: sound,
      inputId: '7',
    } as const;
    const frames = encodeServerEvent(both, 'unified').map((text): unknown => JSON.parse(text));
    expect(frames).toEqual([
      { type: 'response.output.delta', kind: 'text', input_id: '7', text: 'Hi', metrics: {} },
      {
        type: 'response.output.delta',
        kind: 'audio',
        input_id: '7',
        audio: soundText,
        metrics: {},
      },
    ]);
  });

  it('carries the fields that legacy requires even when it has no values for them', () => {
    const frames = encodeServerEvent({ kind: 'output', wire: 'legacy' }, 'legacy').join('');
    expect(JSON.parse(frames)).toEqual({
      type: 'response.output_audio.delta',
      text: '',
      audio: '',
      end_of_turn: false,
      kv_cache_length: 0,
    });
  });

  it('ends a chat turn with a reason even when none is given', () => {
    const [frame = ''] = encodeServerEvent({ kind: 'done', text: 'test' }, 'unified');
    expect(JSON.parse(frame)).toMatchObject({ reason: 'turn_end', metrics: {} });
  });

  it('is not written in a dialect that lacks it', () => {
    expect(encodeServerEvent({ kind: 'done', text: 'test' }, 'legacy')).toEqual([]);
    expect(encodeServerEvent({ kind: 'output', wire: 'unified' }, 'unified')).toEqual([]);
    expect(encodeServerEvent({ kind: 'malformed', problem: 'none' }, 'unified')).toEqual([]);
    expect(encodeServerEvent({ kind: 'malformed', problem: 'none' }, 'legacy')).toEqual([]);
  });
});

const delta = { type: 'response.output.delta' };
const spoken = { type: 'response.output_audio.delta' };

const unspecified = 'The server reported an error without saying which.';
const asUnified = { kind: 'output', wire: 'unified' };
const listen = { kind: 'listen', wire: 'unified' };

const deployedForms: readonly (readonly [name: string, frame: object, event: object])[] = [
  ['text called delta', { ...delta, kind: 'text', delta: 'Hi' }, { ...asUnified, text: 'Hi' }],
  [
    'done called full_text',
    { type: 'response.done', full_text: 'All' },
    { kind: 'done', text: 'All' },
  ],
  ['done without its streamed text', { type: 'response.done' }, { kind: 'done', text: '' }],
  [
    'text beside a null field',
    { ...delta, kind: 'text', text: null, delta: 'Hi' },
    { ...asUnified, text: 'Hi' },
  ],
  [
    'empty sound',
    { ...delta, kind: 'audio', audio: '' },
    { ...asUnified, audio: new Float32Array(0) },
  ],
  [
    'only the end of a turn',
    { ...spoken, end_of_turn: true },
    { kind: 'output', wire: 'legacy', endOfTurn: true },
  ],
  [
    'invalid samples',
    { ...delta, kind: 'audio', audio: 'AAAAPwAAwH8AAID/AACAfw==' },
    { ...asUnified, audio: Float32Array.of(0.5, 0, 0, 0), repairedSamples: 3 },
  ],
  [
    'a diagnostic as plain text',
    { type: 'session.closed', reason: 'error', diagnostic: 'why' },
    { kind: 'closed', reason: 'error', diagnostic: 'why' },
  ],
  [
    'an end without a reason',
    { type: 'session.closed' },
    { kind: 'closed', reason: 'unspecified' },
  ],
  [
    'a diagnostic with more fields',
    { type: 'session.closed', reason: 'error', diagnostic: { message: 'why', at: 3 }, node: 7 },
    { kind: 'closed', reason: 'error', diagnostic: 'why' },
  ],
  [
    'an error as plain text',
    { type: 'error', error: 'Full' },
    { kind: 'error', code: 'unspecified', message: 'Full' },
  ],
  [
    'an error without an object',
    { type: 'error', code: 'x', message: 'y', retry: true },
    { kind: 'error', code: 'x', message: 'y' },
  ],
  [
    'an error with an object and a code beside it',
    { type: 'error', error: { code: 'x', message: 'y' }, code: 'z' },
    { kind: 'error', code: 'x', message: 'y' },
  ],
  [
    'an error with an empty message',
    { type: 'error', error: { message: '' } },
    { kind: 'error', code: 'unspecified', message: unspecified },
  ],
  [
    'an error without fields',
    { type: 'error' },
    { kind: 'error', code: 'unspecified', message: unspecified },
  ],
  [
    'a position as text',
    { type: 'session.queued', position: '2' },
    { kind: 'queued', stage: 'joined' },
  ],
  [
    'the context beside the metrics',
    { ...delta, kind: 'listen', kv_cache_length: 9, metrics: { n_tokens: 2 } },
    { ...listen, metrics: { contextTokens: 9, values: { kv_cache_length: 9, n_tokens: 2 } } },
  ],
  [
    'metrics that are not numbers',
    { ...delta, kind: 'listen', metrics: { model: 'o', n_tokens: 2 } },
    { ...listen, metrics: { values: { n_tokens: 2 } } },
  ],
  ['ids that are numbers', { ...delta, kind: 'listen', input_id: 7 }, listen],
  [
    'a type named like a property of every object',
    { type: 'constructor' },
    { kind: 'unknown', type: 'constructor', raw: { type: 'constructor' } },
  ],
];

describe('an event as deployed servers send it', () => {
  it.each(deployedForms)('is read: %s', (_name, frame, event) => {
    expect(read(frame)).toEqual(event);
  });

  it.each([{ audio: null }, { audio: '' }, {}])('ends a turn without sound: %j', (fields) => {
    const event = { kind: 'done', text: 'Hi' };
    expect(read({ type: 'response.done', text: 'Hi', ...fields })).toEqual(event);
  });

  it.each([{ audio: null }, { audio: '' }, {}])('starts speech without sound: %j', (fields) => {
    const event = { kind: 'output', wire: 'legacy', text: 'Hi' };
    expect(read({ ...spoken, text: 'Hi', ...fields })).toEqual(event);
  });

  it('is read as speech if it has sound without text', () => {
    const event = { kind: 'output', wire: 'legacy', audio: sound };
    expect(read({ ...spoken, audio: soundText })).toEqual(event);
  });

  it('loses numbers and times that are not finite', () => {
    const text =
      '{"type":"response.listen","kv_cache_length":1e999,"metrics":{"a":-1e999,"b":1},"server_send_ts":1e308}';
    expect(decodeServerEvent(text)).toEqual({
      kind: 'listen',
      wire: 'legacy',
      metrics: { values: { b: 1 } },
    });
    expect(
      decodeServerEvent('{"type":"session.queued","position":1e999,"queue_length":2}'),
    ).toEqual({ kind: 'queued', stage: 'joined', length: 2 });
  });

  it('drops fields that this version does not know, regardless of their names', () => {
    const event = decodeServerEvent('{"type":"response.listen","__proto__":{"kind":"done"},"a":1}');
    expect(event).toEqual({ kind: 'listen', wire: 'legacy' });
  });
});

type Unusable = readonly [name: string, text: string, problem: string, type: string | undefined];

const unusable: readonly Unusable[] = [
  ['not JSON', 'hello', 'The server sent something that is not a JSON object.', undefined],
  ['nothing', '', 'The server sent something that is not a JSON object.', undefined],
  ['a list', '[]', 'The server sent something that is not a JSON object.', undefined],
  ['null', 'null', 'The server sent something that is not a JSON object.', undefined],
  ['no type', '{}', 'The server sent an event whose type is missing.', undefined],
  ['an invalid type', '{"type":4}', 'The server sent an event whose type is a number.', undefined],
  ...(
    [
      ['no kind', '{}', 'its kind is missing'],
      ['an invalid kind', '{"kind":[]}', 'its kind is a list'],
      ['no text', '{"kind":"text"}', 'it has no text'],
      ['text of type number', '{"kind":"text","text":4}', 'its text is a number'],
      ['no audio', '{"kind":"audio","audio":null}', 'it has no audio'],
      ['audio as a list', '{"kind":"audio","audio":[0.5]}', 'its audio is a list and not base64'],
      ['broken base64', '{"kind":"audio","audio":"AAAA*AAA"}', 'its audio is not valid base64'],
      [
        'half a sample',
        '{"kind":"audio","audio":"AAAAAAA="}',
        'its audio has 5 bytes, which is not a whole number of samples',
      ],
    ] as const
  ).map(([name, rest, reason]) => broken(name, 'response.output.delta', rest, reason)),
  broken('an object as text', 'response.done', '{"text":{}}', 'its text is an object'),
  broken(
    'true as audio',
    'response.done',
    '{"text":"","audio":true}',
    'its audio is true or false and not base64',
  ),
  broken('nothing at all', 'response.output_audio.delta', '{}', 'it has neither text nor audio'),
  broken(
    'text of type number',
    'response.output_audio.delta',
    '{"text":1,"audio":""}',
    'its text is a number',
  ),
  broken(
    'an end of turn as text',
    'response.output_audio.delta',
    '{"text":"","end_of_turn":"no"}',
    'its end_of_turn is text',
  ),
  broken(
    'broken base64',
    'response.output_audio.delta',
    '{"text":"","audio":"A"}',
    'its audio is not valid base64',
  ),
];

function broken(name: string, type: string, rest: string, reason: string): Unusable {
  const frame = { type, ...(JSON.parse(rest) as object) };
  const problem = `The server's ${type} cannot be used: ${reason}.`;
  return [`${type}: ${name}`, JSON.stringify(frame), problem, type];
}

describe('an unusable event', () => {
  it.each(unusable)(
    'is reported as malformed, with the reason: %s',
    (_name, text, problem, type) => {
      expect(decodeServerEvent(text)).toEqual({ kind: 'malformed', problem, type });
    },
  );

  it('cannot overflow the stack of its reader', () => {
    const depth = 100_000;
    const deep = '['.repeat(depth) + ']'.repeat(depth);
    for (const text of [deep, deep.slice(1), `{"type":"response.done","text":${deep}}`]) {
      expect(decodeServerEvent(text).kind).toBe('malformed');
    }
  });
});
