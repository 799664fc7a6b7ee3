import { expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { encodeGeneration } from '../../../../shared/protocol/client-event.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';

const { decodeClientEvent } = createServerCodec(bufferBase64);

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
