import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';

const client = createClientCodec(bufferBase64);
const server = createServerCodec(bufferBase64);
const read = (frame: object) => client.decodeServerEvent(JSON.stringify(frame));
const raw = (part: object, id: unknown = 'tc_1') =>
  read({ type: 'response.tool_call.args.raw', tool_call_id: id, raw: part });
const ask = (form: 'raw' | 'done', args = {}) => ({
  kind: 'toolCall',
  call: 'tc_1',
  ask: { form, name: 'add', args },
});

describe('a tool call in a talk', () => {
  it('is read in the form of either draft', () => {
    expect(raw({ name: 'add', arguments: '{"a":1}' })).toMatchObject(ask('raw', { a: 1 }));
    expect(raw({ name: 'add' })).toMatchObject(ask('raw'));
    const call = { name: 'add', arguments: { a: 1 } };
    expect(read({ type: 'response.tool_call.done', tool_call_id: 'tc_1', call })).toMatchObject(
      ask('done', { a: 1 }),
    );
  });

  it('can be aborted', () => {
    const event = read({ type: 'response.tool_call.abort', tool_call_id: 'tc_1' });
    expect(event).toMatchObject({ kind: 'toolCall', call: 'tc_1' });
    expect(event).not.toHaveProperty('ask');
  });

  it.each([
    ['without an id', raw({ name: 'add' }, '')],
    ['with a long id', raw({ name: 'add' }, 'x'.repeat(201))],
    ['with a number as its id', raw({ name: 'add' }, 7)],
    ['without a name', raw({ arguments: '{}' })],
    ['with a long name', raw({ name: 'x'.repeat(129) })],
    ['with arguments that are not JSON', raw({ name: 'add', arguments: '{' })],
    ['with a list as its arguments', raw({ name: 'add', arguments: [1] })],
    ['with 70 kB of arguments', raw({ name: 'add', arguments: { a: 'x'.repeat(70_000) } })],
    ['that is aborted without an id', read({ type: 'response.tool_call.abort' })],
  ])('is malformed %s', (_what, event) => {
    expect(event.kind).toBe('malformed');
  });

  it.each([
    ['the server could not parse it', raw({ error: 'invalid XML' })],
    ['it is not complete', read({ type: 'response.tool_call.args.delta', delta: 'x' })],
  ])('is left to the inspector if %s', (_why, event) => {
    expect(event.kind).toBe('unknown');
  });
});

describe('the result of a tool call', () => {
  it.each(['raw', 'done'] as const)('reaches the server in the form of %s', (form) => {
    const result = { kind: 'toolResult', call: 'tc_1', form, text: 'It is 3.' } as const;
    const frame = client.encodeClientEvent(result, 'unified');
    expect(server.decodeClientEvent(frame, 'unified')).toEqual(result);
  });

  it('does not exist in the legacy dialect', () => {
    const result = { kind: 'toolResult', call: 'tc_1', form: 'raw', text: '' } as const;
    expect(() => client.encodeClientEvent(result, 'legacy')).toThrow('no tools');
  });
});
