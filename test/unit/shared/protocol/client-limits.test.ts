import { expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';

const { decodeClientEvent } = createServerCodec(bufferBase64);
const mebi = 1024 * 1024;

it('a prompt may have 1,048,576 characters and no more', () => {
  const read = (length: number) =>
    decodeClientEvent(
      JSON.stringify({ type: 'session.init', payload: { system_prompt: 'n'.repeat(length) } }),
      'unified',
    );
  expect(read(mebi).kind).toBe('configure');
  expect(read(mebi + 1)).toEqual({
    kind: 'problem',
    code: 'invalid_payload',
    message: 'payload.system_prompt is longer than 1048576 characters',
  });
});

it('sound may be longer than the limit for texts', () => {
  // In base64, this is longer than the limit.
  const audio = bufferBase64.encode(new Uint8Array(mebi));
  const frame = JSON.stringify({ type: 'input.append', input: { audio } });
  expect(decodeClientEvent(frame, 'unified').kind).toBe('append');
});

it('a frame that would take long to parse is refused', () => {
  const problem = {
    kind: 'problem',
    code: 'invalid_payload',
    message: 'the frame has more JSON than any event has',
  };
  const deep = '['.repeat(100) + ']'.repeat(100);
  const escaped = String.raw`\n`.repeat(mebi);
  for (const json of [deep, `"${escaped}"`])
    expect(decodeClientEvent(`{"type":"session.init","payload":${json}}`, 'unified')).toEqual(
      problem,
    );
});

it('an infinite number is refused', () => {
  const frame = '{"type":"session.init","payload":{"config":{"top_p":1e999}}}';
  expect(decodeClientEvent(frame, 'unified')).toMatchObject({
    message: 'payload.config.top_p must be a number',
  });
});
