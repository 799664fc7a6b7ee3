import { expect, it } from 'vitest';
import { ValueRedactor } from '../../../../../electron/recordings/redact/redact-values.ts';

it('keeps what a server says of usage, which is nobody’s own', () => {
  const usage = {
    total_tokens: 12,
    input_tokens: 12,
    output_tokens: 0,
    input_token_details: {
      text_tokens: 2,
      audio_tokens: 10,
      vision_tokens: 0,
      image_tokens: 0,
      video_tokens: 0,
      cached_tokens: 0,
    },
    output_token_details: { text_tokens: 0, audio_tokens: 0 },
  };
  const frame = { type: 'response.output.delta', chunk_index: 0, chunk_usage: usage, usage };
  expect(new ValueRedactor((media) => media).object(frame)).toEqual(frame);
});
