import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  bufferBase64,
  startSha256,
} from '../../../../../electron/platform/system/base64-sha256.ts';
import { openTape } from '../../../../../electron/recordings/tape/tape-archive.ts';
import { encodeWav } from '../../../../../shared/audio/wav.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../../shared/i18n/en/errors.ts';
import { createRecorderHarness, header, requireTape, wireSound } from './recorder-harness.ts';
import { tapeCommand } from '../../../../../electron/hosts/terminal/commands/tape-command.ts';
import { checkTape } from '../../../../../electron/recordings/tape/inspect-tape.ts';
import { fakeTerminal } from '../../../../fakes/fake-terminal.ts';
import type { FakeFiles } from '../../../../fakes/fake-files.ts';

describe('reading a tape', () => {
  let harness: Awaited<ReturnType<typeof createRecorderHarness>>;

  const delta = (at: number) => ({ type: 'response.output.delta', audio: wireSound(at, at + 0.5) });
  const lineAt = (at: number, frame: object) => `${JSON.stringify({ at, dir: 'in', frame })}\n`;
  const sound = (from: number, samples: number, file = 'answer.wav') => ({
    audio: { $sound: file, from, samples },
  });

  /** Records four answers, one every two seconds, and does not close the recorder. */
  beforeEach(async () => {
    harness = await createRecorderHarness();
    const { server } = harness.connect();
    server.opened();
    for (let at = 0; at < 4; at += 1) {
      harness.clock.advance(2000);
      server.received(JSON.stringify(delta(at)));
    }
  });

  const rewrite = (change: (text: string) => string) => {
    harness.files.put('/tape/tape.ndjson', change(harness.files.text('/tape/tape.ndjson')));
  };
  const errorMessage = async () => {
    const outcome = await harness.read();
    return outcome.ok ? 'none' : englishErrorMessage(outcome.error);
  };
  const frames = async () =>
    requireTape(await harness.read()).lines.flatMap((line) =>
      'frame' in line ? [line.frame] : [],
    );

  describe('the tape of a killed process', () => {
    it('has all its sound, although the WAV header counts none', async () => {
      expect(await frames()).toEqual([0, 1, 2, 3].map(delta));
    });

    it('has everything but a last line that is cut within a character', async () => {
      const bytes = new TextEncoder().encode(lineAt(9000, { text: 'ü' }));
      const before = harness.files.bytes('/tape/tape.ndjson');
      const cut = bytes.subarray(0, bytes.indexOf(0xc3) + 1);
      harness.files.put('/tape/tape.ndjson', new Uint8Array([...before, ...cut]));
      expect(await frames()).toEqual([0, 1, 2, 3].map(delta));
    });

    it('ends before the first line whose sound is missing', async () => {
      const wav = harness.files.bytes('/tape/answer.wav');
      harness.files.put('/tape/answer.wav', wav.subarray(0, wav.length - 4));
      expect(await frames()).toEqual([0, 1, 2].map(delta));
      expect(requireTape(await harness.read()).cut).toBe(true);
    });
  });

  describe('a tape', () => {
    it('is as long as its talk, although the computer slept before the tape was closed', async () => {
      const event = (at: number, kind: string) => ({ at, dir: 'event', event: { kind } });
      const ended = { at: 9000, dir: 'end', end: { kind: 'closed', code: 1000, reason: '' } };
      const later = [event(3_600_000, 'sleep'), event(7_200_000, 'wake')];
      const append = (lines: readonly object[]) => {
        rewrite((text) => text + lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      };
      append([event(8500, 'interrupt'), event(8800, 'end'), ended, ...later]);
      expect(requireTape(await harness.read()).lines.at(-1)).toMatchObject(ended);
      const seconds = async () => {
        const health = await checkTape('/tape', { files: harness.files });
        return health.ok && [health.value.state, health.value.seconds];
      };
      expect(await seconds()).toEqual(['whole', 9]);
      append([event(7_300_000, 'continue'), { ...ended, at: 7_301_000 }]);
      expect(await seconds()).toEqual(['whole', 7301]);
    });

    it('may have fields and lines of a newer version', async () => {
      rewrite((text) =>
        text
          .replace('{"format"', '{"new":1,"format"')
          .replace('{"at":0', '{"at":0,"dir":"mood","x":1}\n{"at":0,"new":{"a":1}'),
      );
      const tape = requireTape(await harness.read());
      expect(tape.header).toEqual(header);
      expect(tape.lines.map(({ dir }) => dir)).toEqual(['open', 'in', 'in', 'in', 'in']);
    });

    it.each([
      ['parley-tape', 'x', 'This is not a Parley recording.'],
      ['"version":1', '"version":2', 'This recording has version 2; this Parley reads version 1.'],
      ['"mode":"audio"', '"mode":"x"', 'This recording does not say which mode it was made in.'],
      [
        '"$sound":"answer.wav"',
        '"$file":"../secret"',
        'This recording refers to ../secret, which is not in its folder.',
      ],
      ['"from":0', '"from":"x"', 'This recording has a reference that cannot be read.'],
      ['"from":0', '"from":-1', 'This recording has a reference that cannot be read.'],
    ])('is refused with %s changed to %s', async (from, to, says) => {
      rewrite((text) => text.replace(from, to));
      expect(await errorMessage()).toBe(`${says} /tape cannot be played.`);
    });

    it.each([
      ['a damaged line', '{"at":4000', '{"at":'],
      ['a line without time', '"at":4000,', ''],
      ['a line that is not JSON', '{"at":4000', '\0\0\0\n{"at":4000'],
    ])('opens up to %s', async (_what, from, to) => {
      rewrite((text) => text.replace(from, to));
      expect(await frames()).toEqual([delta(0)]);
      expect(requireTape(await harness.read())).toMatchObject({
        cut: true,
        damage: appError('tapeLineDamaged', { line: 4 }),
      });
    });

    it.each(['', '{"at":8600,"dir":"end","end":{}}\n'])(
      'opens up to a line whose sound is missing, whether it ends in order or not (%j)',
      async (end) => {
        rewrite(
          (text) => `${text.replace('{"at":4000', `${lineAt(3000, sound(7, 2))}{"at":4000`)}${end}`,
        );
        expect(await frames()).toEqual([delta(0)]);
        const damage = appError('tapeSoundShort', { path: '/tape/answer.wav' });
        expect(requireTape(await harness.read())).toMatchObject({ cut: true, damage });
      },
    );

    it('opens with a placeholder for a missing picture', async () => {
      const picture = { video_frames: [{ $file: 'frame-0001.jpg' }], n: 1 };
      rewrite((text) => text.replace('{"at":4000', `${lineAt(3000, picture)}{"at":4000`));
      const found = await frames();
      expect(found.length).toBe(5);
      const [placeholder] = (found[1]?.['video_frames'] ?? []) as readonly string[];
      expect(bufferBase64.decode(placeholder ?? '')?.subarray(0, 3)).toEqual(
        new Uint8Array([255, 216, 255]),
      );
      const opened = await openTape('/tape', { files: harness.files, base64: bufferBase64 });
      if (!opened.ok) throw new Error(opened.error.code);
      expect(opened.value.missing()).toEqual([]);
      for (const line of opened.value.lines) if ('frame' in line) opened.value.frame(line.frame);
      expect(opened.value.missing()).toEqual(['frame-0001.jpg']);
    });

    it('leaves out a missing voice, and keeps a message without its missing sound', async () => {
      const voice = { $file: 'voice-1.wav' };
      const frame = {
        payload: { voice: { ref_audio_base64: voice }, n: 1 },
        content: [{ type: 'audio', data: voice }],
      };
      rewrite((text) => text.replace('{"at":4000', `${lineAt(3000, frame)}{"at":4000`));
      expect((await frames())[1]).toEqual({
        payload: { voice: {}, n: 1 },
        content: [{ type: 'audio', data: '' }],
      });
    });

    it.each([
      ['pcm16', 2],
      ['float32', 1],
    ] as const)(
      'is refused if its WAV was converted to %s with %i channels',
      async (coding, channels) => {
        const file = encodeWav(new Float32Array(100), { rate: 24_000, channels, coding });
        // 32-bit integers are as wide as floats.
        file[20] = 1;
        harness.files.put('/tape/answer.wav', file);
        expect(await errorMessage()).toBe(
          'The answer.wav of this recording is no longer a mono sound with float or 16-bit samples. /tape cannot be played.',
        );
      },
    );
  });
});

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
  it('cover all files, with the header of a sound file hashed last', async () => {
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
  const time = new Date('2026-01-02T03:04:05.000Z').toLocaleString('sv').slice(0, 16);
  expect({ code, out: written.out }).toEqual({
    code: 1,
    out: `A talk (audio) of ${time}, 0.0 seconds, changed since it was recorded.
Changed since the recording: answer.wav.
`,
  });
});

function checksumsOf(name: string, other: Record<string, unknown>): string {
  const checksum = { bytes: 1, headLast: 0, sha256: '', ...other };
  return JSON.stringify({ format: 'parley-checksums', version: 1, files: { [name]: checksum } });
}

it('an unpacked file without a tape is called by the path that the user gave, not by its temporary folder', async () => {
  const { files } = await createRecorderHarness();
  const deps = { files, digest: startSha256, displayPath: 'photos.zip' };
  const checked = await checkTape('/scratch/1', deps);
  expect(checked.ok ? 'none' : englishErrorMessage(checked.error)).toBe(
    'photos.zip is not a Parley recording.',
  );
});
