import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { openTapeRecorder } from '../../../../../electron/recordings/record/tape-files-recorder.ts';
import { decodeWav, encodeWav } from '../../../../../shared/audio/wav.ts';
import { appError, failure } from '../../../../../shared/errors/app-error.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { header, createRecorderHarness, requireTape, wireSound } from '../tape/recorder-harness.ts';

const jpeg = bufferBase64.encode(new Uint8Array([0xff, 0xd8, 0xff, 1, 2]));
const png = bufferBase64.encode(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 5]));
const wav = bufferBase64.encode(
  encodeWav(new Float32Array([0.5, 0.25]), { rate: 16_000, channels: 1, coding: 'pcm16' }),
);

/** One of each kind of medium, in both dialects. */
const clientFrames = [
  { type: 'session.init', payload: { voice: { ref_audio_base64: wireSound(0.1, 0.2) } } },
  { type: 'session.update', session: { ref_audio: wav, tts_ref_audio: wav } },
  {
    type: 'input.append',
    input: { audio: wireSound(0.5, -0.5), video_frames: [jpeg, jpeg], input_id: 'a1' },
  },
  { type: 'input_audio_buffer.append', audio: wireSound(1, 2, 3), video_frames: [png] },
  {
    type: 'input.append',
    input: {
      tts: { enabled: true, ref_audio_data: wireSound(9) },
      messages: [
        { role: 'system', content: 'plain' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image', data: jpeg },
            { type: 'audio', data: wireSound(4, 5) },
          ],
        },
      ],
    },
  },
];

const usage = {
  total_tokens: 12,
  input_tokens: 12,
  output_tokens: 0,
  input_token_details: { text_tokens: 2, audio_tokens: 10, vision_tokens: 0 },
  output_token_details: { text_tokens: 0, audio_tokens: 0 },
};

const serverFrames = [
  { type: 'session.created', usage },
  { type: 'response.output.delta', kind: 'listen', chunk_index: 0, chunk_usage: usage, usage },
  { type: 'response.output.delta', kind: 'text', text: 'audio' },
  { type: 'response.output.delta', kind: 'audio', audio: wireSound(0.25, Number.NaN, -0.25) },
  { type: 'response.output_audio.delta', text: 'ü', audio: wireSound(7), end_of_turn: true },
  { type: 'response.done', text: 't', audio: wireSound(8, 9) },
  { type: 'response.output.delta', kind: 'audio', audio: 'not base64!' },
  { type: 'response.output.delta', kind: 'audio', audio: 'QUI=' },
  { type: 'response.output.delta', kind: 'audio', audio: '' },
  { type: 'response.output.delta', kind: 'audio', audio: 12 },
  { type: 'response.output.delta', kind: 'audio', audio: 'AAAAAB==' },
  { type: 'response.output.delta', audio: { $file: '../../secret' } },
];

async function recordSession() {
  const harness = await createRecorderHarness();
  const { socket, server } = harness.connect();
  harness.clock.advance(10.1234);
  server.opened();
  for (const frame of clientFrames) {
    harness.clock.advance(100);
    socket.send(JSON.stringify(frame));
  }
  for (const frame of serverFrames) server.received(JSON.stringify(frame));
  server.received('no JSON, ünd cut');
  server.received('[1,2]');
  server.received(undefined);
  harness.clock.advance(5);
  server.ended({ kind: 'closed', code: 1000, reason: 'bye' });
  return harness;
}

describe('a tape', () => {
  it('restores the wire traffic exactly', async () => {
    const harness = await recordSession();
    expect(await harness.recorder.close()).toEqual({ ok: true, value: undefined });
    const tape = requireTape(await harness.read());
    expect(tape.header).toEqual(header);
    expect(tape.cut).toBe(false);
    const frames = (dir: string) =>
      tape.lines.flatMap((line) => {
        if (line.dir !== dir) return [];
        return ['frame' in line ? line.frame : 'text' in line ? line.text : undefined];
      });
    expect(frames('out')).toEqual(clientFrames);
    const { length } = serverFrames;
    expect(frames('in').slice(0, length - 1)).toEqual(serverFrames.slice(0, -1));
    // Frames with a false reference to media, and frames that are not objects, are stored as text.
    const texts = [JSON.stringify(serverFrames.at(-1)), 'no JSON, ünd cut', '[1,2]', undefined];
    expect(frames('in').slice(length - 1)).toEqual(texts);
    expect(tape.lines[0]).toEqual({ at: 10.123, connection: 1, dir: 'open' });
    expect(tape.lines.at(-1)).toMatchObject({
      at: 515.123,
      dir: 'end',
      end: { kind: 'closed', code: 1000, reason: 'bye' },
    });
  });

  it('is a readable folder', async () => {
    const harness = await recordSession();
    await harness.recorder.close();
    const frames = ['frame-0001.jpg', 'frame-0002.jpg', 'frame-0003.png', 'frame-0004.jpg'];
    const voices = ['voice-1.bin', 'voice-2.wav', 'voice-3.bin', 'voice-4.bin'];
    expect(harness.files.names()).toEqual(
      ['answer.wav', ...frames, 'microphone.wav', 'tape.ndjson', ...voices].map(
        (name) => `/tape/${name}`,
      ),
    );
    expect(decodeWav(harness.files.bytes('/tape/microphone.wav'))).toEqual({
      ok: true,
      value: { rate: 16_000, channels: 1, samples: new Float32Array([0.5, -0.5, 1, 2, 3]) },
    });
    const answer = decodeWav(harness.files.bytes('/tape/answer.wav'));
    expect(answer).toMatchObject({ value: { rate: 24_000 } });
    const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 1, 2]);
    expect(harness.files.bytes('/tape/frame-0001.jpg')).toEqual(jpeg);
    const reference = '"audio":{"$sound":"microphone.wav","from":0,"samples":2}';
    expect(harness.lines()[4]).toContain(reference);
  });

  it('passes everything on in order', async () => {
    const harness = await createRecorderHarness();
    const { socket, server, connection } = harness.connect();
    server.opened();
    socket.send('{"a":1}');
    server.received('{"b":2}');
    server.received(undefined);
    socket.close(1000, 'bye');
    socket.terminate();
    server.ended({ kind: 'unreachable', error: appError('badAddress') });
    expect(harness.heard).toEqual(['opened', '{"b":2}', 'binary', 'ended unreachable']);
    expect([connection.sent, connection.closed]).toEqual([['{"a":1}'], ['1000 bye', 'terminated']]);
    await harness.recorder.close();
  });

  it('contains no secrets from the address', async () => {
    const withSecrets = {
      ...header,
      endpoint: 'wss://me:pass@host.example/v1/realtime?token=secret#secret',
      token: 'secret',
      settings: { instructions: 'x', voice: { model: new Float32Array(3) }, token: 'secret' },
    };
    const harness = await createRecorderHarness(withSecrets);
    harness.connect().server.opened();
    const server = 'wss://me:pass@host.example/v1?token=secret';
    harness
      .connect()
      .server.ended({ kind: 'unreachable', error: appError('noAnswer', { server }) });
    await harness.recorder.close();
    const text = harness.files.text('/tape/tape.ndjson');
    expect(text).not.toMatch(/secret|pass|voice/);
    expect(text).toContain('"endpoint":"wss://host.example/v1/realtime"');
    expect(text).toContain('wss://host.example/v1 does not answer.');
  });

  it('deletes its files if no connection opened, so that the folder can be reused', async () => {
    const harness = await createRecorderHarness();
    harness.connect().server.ended({ kind: 'refused', status: 401, body: 'no' });
    harness.connect().server.ended({ kind: 'unreachable', error: appError('badAddress') });
    expect(await harness.recorder.close()).toEqual({ ok: true, value: undefined });
    expect(harness.files.names()).toEqual([]);
    expect(await harness.files.createFolder('/tape')).toEqual({ ok: true, value: undefined });
  });

  it('is not created in a folder that is not empty', async () => {
    const files = new FakeFiles();
    files.put('/tape/a', 'x');
    const clock = new FakeClock();
    const deps = { files, clock, base64: bufferBase64, onError: () => undefined };
    const opened = await openTapeRecorder('/tape', header, deps);
    expect(opened).toEqual(failure('folderNotEmpty', { path: '/tape' }));
  });

  it('reports a write error once and lets the session continue', async () => {
    const harness = await createRecorderHarness();
    const { socket, server } = harness.connect();
    harness.files.fill(0);
    server.opened();
    socket.send(JSON.stringify(clientFrames[3]));
    server.received(JSON.stringify(serverFrames[2]));
    expect(harness.heard.length).toBe(2);
    const problem = '/tape/tape.ndjson cannot be written: the disk is full.';
    expect(harness.problems).toEqual([problem]);
    expect(await harness.recorder.close()).toEqual(
      failure('diskFull', { path: '/tape/tape.ndjson' }),
    );
    expect(harness.problems).toEqual([problem]);
  });
});
