import { describe, expect, it } from 'vitest';
import { redactLog, ValueRedactor } from '../../../../../electron/recordings/redact/redact-text.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import type { JsonObject } from '../../../../../shared/protocol/json.ts';
import type { TapeEvent } from '../../../../../shared/recordings/tape-event.ts';
import { readableShape, redact } from '../../../../fixtures/redacted.ts';

describe('a redacted log', () => {
  it('keeps times, levels and Parley’s own words', () => {
    const lines = [
      '2026-11-22T10:00:00.000Z 4711 warn: a frame was refused: The disk is full.',
      '2026-11-22T10:00:01.000Z 4711 error: uncaught exception: TypeError at openSession (ECONNREFUSED)',
      '2026-11-22T10:00:02.500Z 4711 info: the sound system crashed the probe process: SIGABRT after 20 ms',
    ].join('\n');
    expect(redactLog(lines)).toBe(lines);
  });

  it('contains no name, address, path, word or secret of anyone', () => {
    const log = [
      '2026-11-22T10:00:00.000Z 1 warn: /home/gertrude/Müller/tape cannot be written',
      'wss://box.gertrude.example:8443/talk?key=s3cr3t refused 192.168.17.45 and fe80::12ab:9:1',
      'the server says: “Zdravstvuj Gertrude”, token eyJhbGciOi.J9 and 4915112345678',
      '格特鲁德 said クッキー to gertrude@post.example',
    ].join('\n');
    const redacted = redactLog(log);
    expect(redacted).toMatch(/^2026-11-22T10:00:00.000Z 1 warn: /u);
    for (const secret of [
      'gertrude',
      'müller',
      '192.168',
      '12ab',
      's3cr3t',
      'zdrav',
      'eyj',
      '49151',
    ])
      expect(redacted.toLowerCase()).not.toContain(secret);
    expect(redacted).not.toMatch(/格|特|ク/u);
    expect(redacted).toContain('cannot be written');
    expect(redacted.length).toBe(log.length);
  });
});

it('redacted values keep the token usage of a server', () => {
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

it('redacted values keep every field and word of tape events', () => {
  const lost = { kind: 'lost', error: appError('tapeLost') } as const;
  const controls = { transmitting: true, passing: true, latched: false, muted: false };
  const events: readonly TapeEvent[] = [
    {
      kind: 'began',
      versions: {},
      talking: 'holdOrTap',
      yielding: 'never',
      reconnects: true,
      handsOver: true,
      microphone: 'a',
      speaker: 'b',
      slices: 1,
      sessionSeconds: 60,
    },
    {
      kind: 'controls',
      controls: { ...controls, talking: 'tap', coughMuted: false, paused: false },
    },
    ...(['nobody', 'you', 'parley', 'both'] as const).map((floor): TapeEvent => ({
      kind: 'floor',
      floor,
    })),
    { kind: 'devices', devices: { microphone: { kind: 'unknown' }, speaker: lost } },
    {
      kind: 'devices',
      devices: {
        microphone: { kind: 'using', device: 'a' },
        speaker: { kind: 'standsIn', device: 'a', missing: 'b' },
      },
    },
    { kind: 'computerSound', on: true },
    { kind: 'heard', turn: 1, samples: 2 },
    ...(['duck', 'restore', 'takesFloor'] as const).map((does): TapeEvent => ({
      kind: 'bargeIn',
      does,
    })),
    { kind: 'gap', from: 1, why: 'diskFull' },
    { kind: 'cut' },
    ...(['open', 'take', 'release', 'drop', 'yield'] as const).map((step): TapeEvent => ({
      kind: 'handOver',
      step,
    })),
    { kind: 'interrupt' },
    { kind: 'end' },
    { kind: 'continue', carry: 'transcript' },
    { kind: 'continue', carry: 'nothing' },
    ...(['sleep', 'wake', 'networkBack'] as const).map((kind): TapeEvent => ({ kind })),
    { kind: 'chance', value: 0.5 },
    { kind: 'lostInSleep' },
  ];
  for (const event of events) {
    const line = JSON.parse(JSON.stringify(event)) as JsonObject;
    expect(readableShape(redact(line))).toEqual(readableShape(line));
  }
});

it('redacted values mask unknown field names and words', () => {
  const redacted = redact({
    password: 'hunter2',
    type: 'secret',
    text: 'Hello',
    message: 'queue of Ann',
  });
  expect(redacted).toEqual({
    'field-1': 'xxxxxx0',
    type: 'xxxxxx',
    text: 'Xxxxx',
    message: 'queue xx Xxx',
  });
});
