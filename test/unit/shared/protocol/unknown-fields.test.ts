import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';

const { decodeServerEvent } = createClientCodec(bufferBase64);

const read = (frame: object) => decodeServerEvent(JSON.stringify(frame));

describe('unknown fields are ignored', () => {
  it('an ending with a diagnostic in plain text is read', () => {
    expect(read({ type: 'session.closed', reason: 'error', diagnostic: 'why' })).toEqual({
      kind: 'closed',
      reason: 'error',
      diagnostic: 'why',
    });
  });

  it('an ending whose diagnostic has more fields is read', () => {
    const diagnostic = { message: 'why', at: 3 };
    expect(read({ type: 'session.closed', reason: 'error', diagnostic, node: 7 })).toEqual({
      kind: 'closed',
      reason: 'error',
      diagnostic: 'why',
    });
  });

  it('an error in plain text or without an object is read', () => {
    expect(read({ type: 'error', error: 'Full' })).toEqual({
      kind: 'error',
      code: 'unspecified',
      message: 'Full',
    });
    expect(read({ type: 'error', code: 'x', message: 'y', retry: true })).toEqual({
      kind: 'error',
      code: 'x',
      message: 'y',
    });
  });

  it('text and endings under their alternative names are read', () => {
    expect(read({ type: 'response.output.delta', kind: 'text', delta: 'Hi' })).toEqual({
      kind: 'output',
      wire: 'unified',
      text: 'Hi',
    });
    expect(read({ type: 'response.done', full_text: 'All' })).toEqual({
      kind: 'done',
      text: 'All',
    });
  });

  it('an error with an object and a code beside it is read', () => {
    expect(read({ type: 'error', error: { code: 'x', message: 'y' }, code: 'z' })).toEqual({
      kind: 'error',
      code: 'x',
      message: 'y',
    });
  });
});

it('an infinite number is ignored', () => {
  const event = decodeServerEvent('{"type":"session.queued","position":1e999,"queue_length":2}');
  expect(event).toEqual({ kind: 'queued', stage: 'joined', length: 2 });
});
