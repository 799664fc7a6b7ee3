import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { seeded } from '../fakes/seeded.ts';
import { playRandomSession } from '../unit/electron/talk/session/random-session.ts';
import { RandomClientEvents } from './random-events.ts';
import { checkClientFrame, type SessionStage } from './document-checks.ts';
import type { DialectName, Mode } from '../../shared/protocol/realtime-api.ts';
import { wavText } from '../unit/shared/protocol/wire-vectors.ts';

describe('the independent checker', () => {
  it.each(invalidFrames)(
    'finds the fault of a frame, %s %s %s: %s',
    (dialect, mode, stage, violation, frame) => {
      expect(checkClientFrame(frame, dialect, mode, stage)).toEqual([violation]);
    },
  );

  it('lists all violations of a frame', () => {
    const frame = { type: 'input.append', input: { video_frames: [4], force_listen: 'no' } };
    expect(checkClientFrame(frame, 'unified', 'video', 'connected')).toHaveLength(4);
  });
});

describe('the frames of our codec', () => {
  const { encodeClientEvent } = createClientCodec(bufferBase64);
  const randomEvents = new RandomClientEvents(seeded(11));
  const sessionKinds = [
    ['unified', 'chat'],
    ['unified', 'audio'],
    ['unified', 'video'],
    ['legacy', 'audio'],
    ['legacy', 'video'],
  ] as const;

  it.each(sessionKinds)('match the documentation: %s %s', (dialect, mode) => {
    for (let round = 0; round < 50; round += 1) {
      const steps = [
        ['connected', randomEvents.configure(dialect, mode)],
        ['active', mode === 'chat' ? randomEvents.chat() : randomEvents.append(dialect, mode)],
        ['active', randomEvents.close()],
      ] as const;
      for (const [stage, event] of steps) {
        const frame: unknown = JSON.parse(encodeClientEvent(event, dialect));
        expect(checkClientFrame(frame, dialect, mode, stage)).toEqual([]);
      }
    }
  });
});

const stages = {
  configure: 'connected',
  append: 'active',
  chat: 'active',
  close: 'active',
} as const;

describe('the frames of a session in random situations', () => {
  const { encodeClientEvent } = createClientCodec(bufferBase64);

  it('follow the documentation field by field', () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 300; seed += 1) {
      const { harness, mode } = playRandomSession(seed);
      for (const { ask, dialect } of harness.asked) {
        // The documents have no tools, and the random sessions call none.
        if (ask.kind === 'toolResult') throw new Error('no call was made');
        const frame: unknown = JSON.parse(encodeClientEvent(ask, dialect));
        const violations = checkClientFrame(frame, dialect, mode, stages[ask.kind]);
        expect(violations, `seed ${seed}, ${ask.kind} in ${dialect} ${mode}`).toEqual([]);
        kinds.add(`${ask.kind} ${dialect} ${mode}`);
      }
    }
    // Chat exists in one dialect; everything else must have occurred in both.
    expect(kinds.size).toBe(3 + 2 * 2 * 3);
  });
});

const chunk = Buffer.alloc(16_000).toString('base64');
const jpeg = '/9j/2Q==';
const goodChat = { messages: [{ role: 'user', content: 'Reply with exactly: test' }] };

function init(payload: unknown): object {
  return { type: 'session.init', payload };
}
function input(fields: object): object {
  return { type: 'input.append', input: fields };
}
function update(session: object): object {
  return { type: 'session.update', session };
}
function append(fields: object): object {
  return { type: 'input_audio_buffer.append', audio: chunk, ...fields };
}
function withNan(): string {
  const samples = new Float32Array(4000);
  samples[1] = Number.NaN;
  return Buffer.from(samples.buffer).toString('base64');
}
/** The valid voice with one byte changed. */
function wavWith(at: number, byte: number): string {
  const bytes = Buffer.from(wavText, 'base64');
  bytes[at] = byte;
  return bytes.toString('base64');
}

/** Frames that each break one rule, by the violation. */
const broken: readonly (readonly [
  DialectName,
  Mode,
  SessionStage,
  Readonly<Record<string, unknown>>,
])[] = [
  [
    'unified',
    'audio',
    'active',
    {
      'the frame is not an object': 7,
      'type is not a string': {},
      'session.init is sent a second time': init({}),
      'input.append.input.audio is missing': input({}),
      'input.append.input.audio is not a string': input({ audio: 5 }),
      'input.append.input.audio is not base64': input({ audio: '_-__' }),
      'input.append.input.audio is no whole number of float32 samples': input({
        audio: 'AAAAAAA=',
      }),
      'input.append.input.audio has 1 samples, fewer than 4000': input({ audio: 'AAAAAA==' }),
      'input.append.input.audio has a sample that is no number': input({ audio: withNan() }),
      'input.append.input.video_frames is in no document': input({
        audio: chunk,
        video_frames: [jpeg],
      }),
    },
  ],
  [
    'unified',
    'audio',
    'connected',
    {
      'session.update is no event of the unified dialect': update({ instructions: '' }),
      'input.append is sent before created': input({ audio: chunk }),
      'session.init.payload is missing': { type: 'session.init' },
      'session.init.payload is not an object': init(null),
      'session.init.payload.prompt is in no document': init({ prompt: '' }),
      'session.init.payload.config.length_penalty is not a number': init({
        config: { length_penalty: '1' },
      }),
      'session.init.payload.voice.ref_audio_base64 is a WAV file, not raw samples': init({
        voice: { ref_audio_base64: wavText },
      }),
    },
  ],
  [
    'unified',
    'audio',
    'queued',
    {
      'session.init is sent before queue_done': init({}),
    },
  ],
  [
    'unified',
    'audio',
    'closed',
    {
      'input.append is sent after the end': input({ audio: chunk }),
    },
  ],
  [
    'unified',
    'chat',
    'connected',
    {
      'session.init.payload.system_prompt is in no document': init({ system_prompt: '' }),
    },
  ],
  [
    'unified',
    'video',
    'active',
    {
      'input.append.input.video_frames[1] is not a JPEG': input({
        audio: chunk,
        video_frames: [jpeg, 'AAAA'],
      }),
      'input.append.input.video_frames is not a list': input({ audio: chunk, video_frames: jpeg }),
      'input.append.input.max_slice_nums is not from 1 to 9': input({
        audio: chunk,
        max_slice_nums: 0,
      }),
      'input.append.input.hints.max_slice_nums is not a whole number': input({
        audio: chunk,
        hints: { max_slice_nums: 1.5 },
      }),
      'input.append.input.force_listen is not true or false': input({
        audio: chunk,
        force_listen: 1,
      }),
    },
  ],
  [
    'unified',
    'chat',
    'active',
    {
      'input.append.input.messages is missing': input({}),
      'input.append.input.messages has fewer than 1': input({ messages: [] }),
      'input.append.input.messages[0].role is not one of system, user, assistant': input({
        messages: [{ role: 'robot', content: '' }],
      }),
      'input.append.input.messages[0].content[0] is no part of a message': input({
        messages: [{ role: 'user', content: [{ type: 'smell' }] }],
      }),
      'input.append.input.messages[0].content[0].data is neither a JPEG nor a PNG': input({
        messages: [{ role: 'user', content: [{ type: 'image', data: 'AAAA' }] }],
      }),
      'input.append.input.generation.max_new_tokens is not a whole number': input({
        ...goodChat,
        generation: { max_new_tokens: 1.5 },
      }),
      'session.close.reason is not a string': { type: 'session.close', reason: 4 },
    },
  ],
  [
    'legacy',
    'chat',
    'active',
    {
      'legacy has no chat': { type: 'session.close' },
    },
  ],
  [
    'legacy',
    'audio',
    'connected',
    {
      'session.close is sent before created': { type: 'session.close' },
      'session.update.session.instructions is missing': update({}),
      'session.update.session.max_slice_nums is in no document': update({
        instructions: '',
        max_slice_nums: 1,
      }),
    },
  ],
  [
    'legacy',
    'video',
    'connected',
    {
      'session.update.session.ref_audio is no WAV file': update({
        instructions: '',
        ref_audio: chunk,
      }),
      'session.update.session.ref_audio is not 16 kHz': update({
        instructions: '',
        ref_audio: wavWith(24, 0),
      }),
      'session.update.session.ref_audio is not mono': update({
        instructions: '',
        ref_audio: wavWith(22, 2),
      }),
      'session.update.session.ref_audio is not float PCM': update({
        instructions: '',
        ref_audio: wavWith(20, 1),
      }),
      'session.update.session.ref_audio does not say its true length': update({
        instructions: '',
        ref_audio: wavWith(4, 0),
      }),
    },
  ],
  [
    'legacy',
    'audio',
    'active',
    {
      'input_audio_buffer.append.video_frames is in no document': append({ video_frames: [jpeg] }),
      'input_audio_buffer.append.input_id is in no document': append({ input_id: '1' }),
    },
  ],
  [
    'legacy',
    'video',
    'active',
    {
      'input_audio_buffer.append.max_slice_nums is not from 1 to 9': append({ max_slice_nums: 10 }),
    },
  ],
];

const invalidFrames = broken.flatMap(([dialect, mode, stage, frames]) =>
  Object.entries(frames).map(
    ([violation, frame]) => [dialect, mode, stage, violation, frame] as const,
  ),
);
