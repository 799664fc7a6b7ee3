import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tapeCommand } from '../../../../../electron/hosts/terminal/commands/tape-command.ts';
import {
  bufferBase64,
  startSha256,
} from '../../../../../electron/platform/system/base64-sha256.ts';
import { checkTape } from '../../../../../electron/recordings/tape/inspect-tape.ts';
import type { FakeFiles } from '../../../../fakes/fake-files.ts';
import { fakeTerminal } from '../../../../fakes/fake-terminal.ts';
import { createRecorderHarness, wireSound } from './recorder-harness.ts';

const jpeg = bufferBase64.encode(new Uint8Array([0xff, 0xd8, 0xff, 1, 2]));

/** Records three seconds of sound from both sides, so that WAV headers are updated several times. */
async function recordTalk() {
  const harness = await createRecorderHarness(
    { settings: { instructions: 'Höflich, 请.' } },
    { digest: startSha256 },
  );
  const { socket, server } = harness.connect();
  server.opened();
  for (let second = 0; second < 3; second += 1) {
    const audio = wireSound(...new Float32Array(16_000).fill(0.25));
    socket.send(JSON.stringify({ type: 'input.append', input: { audio, video_frames: [jpeg] } }));
    server.received(JSON.stringify({ type: 'response.output.delta', kind: 'audio', audio }));
  }
  server.ended({ kind: 'closed', code: 1000, reason: '' });
  return harness;
}

const check = async (files: FakeFiles) => {
  const health = await checkTape('/tape', { files, digest: startSha256 });
  if (!health.ok) throw new Error(health.error.code);
  const { state, changed } = health.value;
  return { state, changed };
};

interface Stored {
  readonly files: Record<string, { bytes: number; headLast: number; sha256: string }>;
}

const hash = (...parts: readonly Uint8Array[]) =>
  parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest('hex');

describe('the checksums of a tape', () => {
  it('cover all files, with the header of a sound file last', async () => {
    const harness = await recordTalk();
    await harness.recorder.close();
    const { files } = JSON.parse(harness.files.text('/tape/checksums.json')) as Stored;
    expect(Object.keys(files).toSorted()).toEqual([
      'answer.wav',
      'frame-0001.jpg',
      'frame-0002.jpg',
      'frame-0003.jpg',
      'microphone.wav',
      'tape.ndjson',
    ]);
    for (const [name, { bytes, headLast, sha256 }] of Object.entries(files)) {
      const all = harness.files.bytes(`/tape/${name}`);
      expect({ name, headLast }).toEqual({ name, headLast: name.endsWith('.wav') ? 58 : 0 });
      expect({ name, bytes, sha256 }).toEqual({
        name,
        bytes: all.length,
        sha256: hash(all.subarray(headLast), all.subarray(0, headLast)),
      });
    }
    expect(await check(harness.files)).toEqual({ state: 'whole', changed: [] });
  });

  it.each(['tape.ndjson', 'microphone.wav', 'answer.wav', 'frame-0002.jpg'])(
    'show that one byte of %s was changed',
    async (name) => {
      const harness = await recordTalk();
      await harness.recorder.close();
      const before = harness.files.bytes(`/tape/${name}`);
      // A byte of a string, a sample or a pixel, so that the file stays valid.
      const place = name === 'tape.ndjson' ? before.indexOf(0x48) : before.length - 1;
      harness.files.put(`/tape/${name}`, before.with(place, (before[place] ?? 0) ^ 1));
      expect(await check(harness.files)).toEqual({ state: 'changed', changed: [name] });
      harness.files.put(`/tape/${name}`, before);
      expect(await check(harness.files)).toMatchObject({ state: 'whole' });
    },
  );

  it('show that a sound file grew or its header was edited', async () => {
    const harness = await recordTalk();
    await harness.recorder.close();
    const before = harness.files.bytes('/tape/answer.wav');
    harness.files.put('/tape/answer.wav', before.with(24, 0x81));
    expect(await check(harness.files)).toMatchObject({ changed: ['answer.wav'] });
    harness.files.put('/tape/answer.wav', new Uint8Array([...before, 0, 0, 0, 0]));
    expect(await check(harness.files)).toMatchObject({ changed: ['answer.wav'] });
  });

  it.each([
    ['not JSON', 'x'],
    ['another format', '{"format":"other","version":1,"files":{}}'],
    ['a later version', '{"format":"parley-checksums","version":2,"files":{}}'],
    ['a path out of the folder', checksumsOf('../answer.wav', {})],
    ['a negative length', checksumsOf('answer.wav', { bytes: -1 })],
    ['a header longer than the file', checksumsOf('answer.wav', { headLast: 1e9 })],
  ])('report a checksum file that is not Parley’s: %s', async (_what, text) => {
    const harness = await recordTalk();
    await harness.recorder.close();
    harness.files.put('/tape/checksums.json', text);
    expect(await check(harness.files)).toEqual({ state: 'changed', changed: ['checksums.json'] });
  });

  it('show files beyond the size limit as changed without reading them', async () => {
    const harness = await recordTalk();
    await harness.recorder.close();
    const bytes = 10_000_000_000;
    harness.files.put('/tape/checksums.json', checksumsOf('answer.wav', { bytes }));
    const openToRead: FakeFiles['openToRead'] = (path) => {
      const opened = harness.files.openToRead(path);
      if (!opened.ok || path !== '/tape/answer.wav') return opened;
      const read = () => Promise.reject(new Error('read'));
      return { ok: true, value: { ...opened.value, size: bytes, read } };
    };
    const health = await checkTape('/tape', { files: { openToRead }, digest: startSha256 });
    expect(health).toMatchObject({ value: { changed: ['answer.wav'] } });
  });

  it('are missing after a kill, and for a file with a write error', async () => {
    const killed = await recordTalk();
    expect(await check(killed.files)).toEqual({ state: 'whole', changed: undefined });
    const harness = await recordTalk();
    harness.files.fill(0);
    const { server } = harness.connect();
    server.opened();
    harness.files.fill(1e9);
    expect(await harness.recorder.resume()).toMatchObject({ ok: true });
    await harness.recorder.close();
    const { files } = JSON.parse(harness.files.text('/tape/checksums.json')) as Stored;
    expect(Object.keys(files)).not.toContain('tape.ndjson');
    expect(await check(harness.files)).toMatchObject({ changed: [] });
  });

  it('are never written partially on a full disk', async () => {
    const harness = await recordTalk();
    harness.files.fill(20);
    expect(await harness.recorder.close()).toMatchObject({
      ok: false,
      error: { code: 'diskFull' },
    });
    expect(harness.files.names()).not.toContain('/tape/checksums.json');
  });
});

it('parley tape check names changed files and exits with 1', async () => {
  const harness = await recordTalk();
  await harness.recorder.close();
  const name = '/tape/answer.wav';
  const { length } = harness.files.bytes(name);
  harness.files.put(name, harness.files.bytes(name).with(length - 1, 1));
  const { terminal, written } = fakeTerminal();
  const code = await tapeCommand.run(['check', '/tape'], terminal, () => ({
    openExport: () => Promise.reject(new Error('unused')),
    tapeTools: () =>
      Promise.resolve({
        check: (folder) => checkTape(folder, { files: harness.files, digest: startSha256 }),
        repair: () => Promise.reject(new Error('unused')),
        cut: () => Promise.reject(new Error('unused')),
        redact: () => Promise.reject(new Error('unused')),
      }),
  }));
  expect({ code, out: written.out }).toEqual({
    code: 1,
    out: `A talk (audio) of 2026-01-02T03:04:05.000Z, 0.0 seconds, complete, but changed since it was recorded.
Changed since the recording: answer.wav.
`,
  });
});

function checksumsOf(name: string, other: Record<string, unknown>): string {
  const checksum = { bytes: 1, headLast: 0, sha256: '', ...other };
  return JSON.stringify({ format: 'parley-checksums', version: 1, files: { [name]: checksum } });
}
