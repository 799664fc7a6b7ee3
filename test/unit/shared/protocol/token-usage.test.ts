import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import type { Metrics } from '../../../../shared/protocol/realtime-api.ts';

const { decodeServerEvent } = createClientCodec(bufferBase64);
const { encodeServerEvent } = createServerCodec(bufferBase64);

const usage = {
  total_tokens: 114,
  input_tokens: 108,
  output_tokens: 6,
  input_token_details: { text_tokens: 25, audio_tokens: 72, vision_tokens: 11 },
  output_token_details: { text_tokens: 2, audio_tokens: 4 },
};
const read = { inputText: 25, inputAudio: 72, inputVision: 11, outputText: 2, outputAudio: 4 };

function metricsOf(fields: string): Metrics | undefined {
  const event = decodeServerEvent(
    `{"type":"response.output.delta","kind":"listen"${fields === '' ? '' : ','}${fields}}`,
  );
  if (event.kind !== 'listen') throw new Error(event.kind);
  return event.metrics;
}

describe('the token usage of newer servers', () => {
  it('is read in both dialects, and gives the context where no other field does', () => {
    const fields = { usage, chunk_usage: usage, chunk_index: 3 };
    const metrics = {
      contextTokens: 110,
      values: {},
      usage: read,
      stepUsage: read,
      stepIndex: 3,
    };
    for (const type of ['response.listen', 'session.created', 'session.closed'])
      expect(decodeServerEvent(JSON.stringify({ type, ...fields }))).toMatchObject({ metrics });
    expect(metricsOf(`"usage":${JSON.stringify(usage)},"chunk_index":0`)?.stepIndex).toBe(0);
  });

  it('yields to the context that the server measures, unless that is 0', () => {
    const text = JSON.stringify(usage);
    const context = (kv: number) =>
      metricsOf(`"usage":${text},"metrics":{"kv_cache_length":${kv}}`)?.contextTokens;
    expect([context(90), context(0)]).toEqual([90, 110]);
  });

  it('may count images and video separately', () => {
    const apart =
      '{"input_token_details":{"image_tokens":64,"video_tokens":128,"cached_tokens":0}}';
    expect(metricsOf(`"chunk_usage":${apart}`)?.stepUsage).toEqual({ inputVision: 192 });
  });

  it.each(['NaN', '-1', '1e308', '1e999', '10000001', '1.5', '"12"', 'null', 'true', '[7]', '{}'])(
    'ignores the count %s',
    (value) => {
      const details = `{"text_tokens":${value},"audio_tokens":${value},"vision_tokens":${value}}`;
      const counted = `{"input_token_details":${details},"output_token_details":${details}}`;
      const fields = `"usage":${counted},"chunk_usage":${counted},"chunk_index":${value}`;
      // JSON cannot express NaN, so the frame is malformed.
      if (value === 'NaN')
        expect(decodeServerEvent(`{"type":"response.listen",${fields}}`).kind).toBe('malformed');
      else expect(metricsOf(fields)).toBeUndefined();
    },
  );

  it.each(['7', '"many"', 'null', '[]', '{}', '{"input_token_details":3}', '{"total_tokens":9}'])(
    'ignores a usage that is %s',
    (value) => {
      expect(metricsOf(`"usage":${value},"chunk_usage":${value}`)).toBeUndefined();
    },
  );

  it('keeps valid counts beside invalid ones', () => {
    const half = '{"input_token_details":{"text_tokens":5,"audio_tokens":-3}}';
    expect(metricsOf(`"usage":${half}`)).toEqual({
      contextTokens: 5,
      values: {},
      usage: { inputText: 5 },
    });
  });

  it('is written only with the first event of a step', () => {
    const metrics = { values: {}, usage: read, stepUsage: read, stepIndex: 3 };
    const audio = new Float32Array(1);
    const frames = encodeServerEvent(
      { kind: 'output', wire: 'unified', text: 'Hi', audio, metrics },
      'unified',
    ).map((frame): unknown => JSON.parse(frame));
    expect(frames[0]).toMatchObject({ usage, chunk_usage: usage, chunk_index: 3 });
    for (const field of ['usage', 'chunk_usage', 'chunk_index'])
      expect(frames[1]).not.toHaveProperty(field);
  });
});
