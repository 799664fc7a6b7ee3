import { beforeEach, describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { openTape } from '../../../../../electron/recordings/tape/open-tape.ts';
import { encodeWav } from '../../../../../shared/audio/wav.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../../shared/i18n/en/errors.ts';
import { header, createRecorderHarness, requireTape, wireSound } from './recorder-harness.ts';

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
  requireTape(await harness.read()).lines.flatMap((line) => ('frame' in line ? [line.frame] : []));

describe('the tape of a killed process', () => {
  it('has all its sound, although the WAV header counts none', async () => {
    expect(await frames()).toEqual([0, 1, 2, 3].map(delta));
  });

  it.each([1, 5, 40])('has everything but a last line cut by %i bytes', async (missing) => {
    rewrite((text) => text.slice(0, -missing - 1));
    expect(await frames()).toEqual([0, 1, 2].map(delta));
    expect(requireTape(await harness.read()).cut).toBe(true);
  });

  it('has everything but a last line cut within a character', async () => {
    const bytes = new TextEncoder().encode(lineAt(9000, { text: 'ü' }));
    const before = harness.files.bytes('/tape/tape.ndjson');
    const cut = bytes.subarray(0, bytes.indexOf(0xc3) + 1);
    harness.files.put('/tape/tape.ndjson', new Uint8Array([...before, ...cut]));
    expect(await frames()).toEqual([0, 1, 2, 3].map(delta));
  });

  it('ends where the sound of its last lines is missing', async () => {
    const wav = harness.files.bytes('/tape/answer.wav');
    harness.files.put('/tape/answer.wav', wav.subarray(0, wav.length - 4));
    expect(await frames()).toEqual([0, 1, 2].map(delta));
    expect(requireTape(await harness.read()).cut).toBe(true);
  });

  it('is complete if only the newline is missing', async () => {
    rewrite((text) => text.trimEnd());
    expect(await frames()).toEqual([0, 1, 2, 3].map(delta));
  });
});

describe('a tape', () => {
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

  it('keeps characters of all scripts', async () => {
    rewrite((text) => text + lineAt(9000, { text: '100 % 你好 ü 🎈' }));
    expect((await frames()).at(-1)).toEqual({ text: '100 % 你好 ü 🎈' });
  });

  it('reports a missing tape as not a tape', async () => {
    harness.files.remove('/tape/tape.ndjson');
    expect(await errorMessage()).toBe('/tape/tape.ndjson does not exist. /tape is not a tape.');
  });

  it.each([
    { what: 'no tape', from: 'parley-tape', to: 'x', says: 'This is not a Parley tape.' },
    {
      what: 'another version',
      from: '"version":1',
      to: '"version":2',
      says: 'This tape has version 2; this Parley reads version 1.',
    },
    {
      what: 'an unknown mode',
      from: '"mode":"audio"',
      to: '"mode":"smell"',
      says: 'This tape does not say which mode it was recorded in.',
    },
    {
      what: 'a file of another folder',
      from: '"$sound":"answer.wav"',
      to: '"$file":"../secret"',
      says: 'This tape refers to ../secret, which is not in its folder.',
    },
    {
      what: 'an invalid reference',
      from: '"from":0',
      to: '"from":"x"',
      says: 'This tape has a reference that cannot be read.',
    },
    {
      what: 'a reference before the beginning',
      from: '"from":0',
      to: '"from":-1',
      says: 'This tape has a reference that cannot be read.',
    },
  ])('is refused: $what', async ({ from, to, says }) => {
    rewrite((text) => text.replace(from, to));
    expect(await errorMessage()).toBe(`${says} /tape cannot be played.`);
  });

  it.each([
    { what: 'a damaged line', from: '{"at":4000', to: '{"at":' },
    { what: 'a line without time', from: '"at":4000,', to: '' },
    { what: 'a line that is not JSON', from: '{"at":4000', to: '\0\0\0\n{"at":4000' },
  ])('opens up to $what', async ({ from, to }) => {
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

  it('is refused if a WAV file was replaced', async () => {
    harness.files.put('/tape/answer.wav', 'something else');
    expect(await errorMessage()).toBe(
      'This is not a WAV file. The answer.wav of this tape cannot be read. /tape cannot be played.',
    );
  });

  it.each([
    ['pcm16', 2],
    ['float32', 1],
  ] as const)('is refused if its WAV was converted to %s of %i', async (coding, channels) => {
    const file = encodeWav(new Float32Array(100), { rate: 24_000, channels, coding });
    // 32-bit integers are as wide as floats.
    file[20] = 1;
    harness.files.put('/tape/answer.wav', file);
    expect(await errorMessage()).toBe(
      'The answer.wav of this tape is no longer a mono sound with float or 16-bit samples. /tape cannot be played.',
    );
  });
});
