import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runFfmpeg } from '../../electron/platform/ffmpeg.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { stateFolder } from '../../electron/platform/files/state-folder.ts';
import { packZip, unpackTape } from '../../electron/platform/files/zip.ts';
import { openTapeSound } from '../../electron/recordings/tape/tape.ts';
import { decodeWav, encodeSamples, encodeWav } from '../../shared/audio/wav.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { mountSmallDisk, workFolder } from '../fakes/work-folder.ts';
import { type PackedFile, packFiles } from '../fixtures/pack-tape.ts';

let work = '';
const text = (words: string) => new TextEncoder().encode(words);
const lines = { name: 'tape.ndjson', bytes: text('{}\n') };

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'parley-unpack-'));
});
afterEach(async () => {
  await rm(work, { recursive: true, force: true });
});

async function packed(files: readonly PackedFile[], change?: (zip: Buffer) => Buffer) {
  const path = join(work, 'one.parleytape');
  const zip = packFiles(files);
  await writeFile(path, change?.(zip) ?? zip);
  return path;
}

const unpackedFolders = async (): Promise<readonly string[]> =>
  readdir(join(stateFolder(), 'scratch')).catch(() => []);

describe('a zipped tape', () => {
  it('is unpacked to a folder that can be removed', async () => {
    const before = await unpackedFolders();
    const path = await packed([lines, { name: 'frame-0001.jpg', bytes: Uint8Array.of(1, 2) }]);
    const tape = await unpackTape(path);
    if (!tape.ok) throw new Error(tape.error.code);
    const { folder, remove } = tape.value;
    expect((await readdir(folder)).toSorted()).toEqual(['frame-0001.jpg', 'tape.ndjson']);
    expect(await readFile(join(folder, 'tape.ndjson'), 'utf8')).toBe('{}\n');
    await remove();
    expect(await unpackedFolders()).toEqual(before);
  });

  it('is not blamed for a full disk', async (context) => {
    const folder = workFolder()('disk');
    mountSmallDisk(folder, context);
    vi.stubEnv('PARLEY_STATE_DIR', folder);
    const path = await packed([lines, { name: 'a.wav', bytes: new Uint8Array(2_000_000) }]);
    const tape = await unpackTape(path);
    vi.unstubAllEnvs();
    expect(tape).toMatchObject({ ok: false, error: { code: 'diskFull' } });
    expect(tape.ok ? '' : tape.error.facts).toMatchObject({
      path: expect.stringContaining(join(folder, 'scratch')) as string,
    });
  });

  it('may have its files in a subfolder', async () => {
    const tape = await unpackTape(await packed([{ ...lines, name: '2026-01-02/tape.ndjson' }]));
    if (!tape.ok) throw new Error(tape.error.code);
    expect(await readdir(tape.value.folder)).toEqual(['tape.ndjson']);
    await tape.value.remove();
  });
});

describe('a hostile zip', () => {
  it.each(['../out', '/etc/out', 'a/b/out', '..', 'C:\\out', 'a/../out', '.hidden', ''])(
    'writes no file named “%s”',
    async (name) => {
      const tape = await unpackTape(await packed([lines, { name, bytes: text('x') }]));
      if (!tape.ok) throw new Error(tape.error.code);
      expect(await readdir(tape.value.folder)).toEqual(['tape.ndjson']);
      expect(await readdir(work)).toEqual(['one.parleytape']);
      await tape.value.remove();
    },
  );

  it('is refused if it unpacks to more than the limit, regardless of its headers', async () => {
    const before = await unpackedFolders();
    const bomb = { name: 'answer.wav', bytes: new Uint8Array(20_000_000), claims: { bytes: 10 } };
    expect(await unpackTape(await packed([lines, bomb]), 5_000_000)).toMatchObject({
      ok: false,
      error: { code: 'fileOverLimit', facts: { limit: '5 MB' } },
    });
    expect(await unpackedFolders()).toEqual(before);
  });

  it.each([
    ['is empty', () => Buffer.alloc(0)],
    ['is not a zip', () => Buffer.from('x'.repeat(5000))],
    ['is cut', (zip: Buffer) => zip.subarray(0, zip.length - 10)],
    ['lacks its beginning', (zip: Buffer) => zip.subarray(40)],
    ['is damaged', (zip: Buffer) => Buffer.from(zip).fill(0xff, 35, 60)],
  ])('is refused as not a tape if it %s', async (_what, change) => {
    const before = await unpackedFolders();
    expect(
      await unpackTape(
        await packed([lines, { name: 'a.wav', bytes: text('abc'.repeat(50)) }], change),
      ),
    ).toMatchObject({
      ok: false,
      error: { code: 'notTape' },
    });
    expect(await unpackedFolders()).toEqual(before);
  });

  it.each([
    ['the same name twice', [lines, lines]],
    ['an unknown compression method', [{ ...lines, claims: { method: 99 } }]],
  ])('is refused if it has %s', async (_what, files) => {
    const before = await unpackedFolders();
    expect(await unpackTape(await packed(files))).toMatchObject({ ok: false });
    expect(await unpackedFolders()).toEqual(before);
  });

  it('is refused at once if it is a pipe', async () => {
    const path = join(work, 'pipe.parleytape');
    execFileSync('mkfifo', [path]);
    expect(await unpackTape(path)).toMatchObject({ ok: false, error: { code: 'notOrdinaryFile' } });
  });

  it('is refused if it is a folder or missing', async () => {
    expect(await unpackTape(work)).toMatchObject({ ok: false });
    expect(await unpackTape(join(work, 'none'))).toMatchObject({ error: { code: 'fileGone' } });
  });
});

it('a zip of the same files has the same bytes in every time zone', async () => {
  const file = workFolder();
  const path = file('tape.ndjson');
  const zips: Buffer[] = [];
  for (const zone of ['Asia/Shanghai', 'America/Lima']) {
    vi.stubEnv('TZ', zone);
    await writeFile(path, 'a line\n'.repeat(1000));
    expect(await packZip(file('made.zip'), [{ name: 'tape.ndjson', path }])).toMatchObject({
      ok: true,
    });
    zips.push(await readFile(file('made.zip')));
  }
  vi.unstubAllEnvs();
  expect(zips[0]?.length).toBeLessThan(1000);
  expect(zips[0]?.equals(zips[1] ?? Buffer.alloc(0))).toBe(true);
});

it('a missing file leaves no partial zip', async () => {
  const file = workFolder();
  const path = file('made.zip');
  const packed = await packZip(path, [{ name: 'gone', path: file('gone') }]);
  expect(packed).toMatchObject({ ok: false, error: { code: 'fileGone' } });
  expect(await readdir(dirname(path))).toEqual([]);
});

it.for(['12:30.flac', '-talk.flac'])('ffmpeg writes to a file called %s', async (name, context) => {
  if (hasNoFfmpeg) context.skip('ffmpeg is not installed');
  const wav = join(work, 'a.wav');
  await writeFile(wav, encodeWav(speech, { rate: 24_000, channels: 1, coding: 'pcm16' }));
  const before = process.cwd();
  process.chdir(work);
  const { done } = runFfmpeg(['-i', wav, '-f', 'flac', name]);
  process.chdir(before);
  expect(await done).toEqual({ ok: true, value: undefined });
  expect(await readdir(work)).toContain(name);
});

const files = createFiles();
const hasNoFfmpeg = spawnSync('ffmpeg', ['-version']).error !== undefined;
let speech: Float32Array = new Float32Array();
beforeAll(async () => {
  speech = unwrap(decodeWav(await readFile('resources/speech/interrupt.wav'))).samples;
});

describe('FLAC of older tapes and of other encoders', () => {
  it.for(['0', '5', '12'])(
    'is decoded by Parley if ffmpeg encoded it at level %s',
    async (level, context) => {
      if (hasNoFfmpeg) context.skip('ffmpeg is not installed');
      const wav = join(work, 'a.wav');
      await writeFile(wav, encodeWav(speech, { rate: 24_000, channels: 1, coding: 'pcm16' }));
      const path = join(work, `theirs-${level}.flac`);
      execFileSync('ffmpeg', ['-v', 'error', '-i', wav, '-compression_level', level, path]);
      const taped = unwrap(openTapeSound(path, 'theirs', files));
      expect(taped.samples).toBe(speech.length);
      const read = new Float32Array(taped.bytes(0, speech.length).slice().buffer);
      taped.close();
      expect(encodeSamples(read, 'pcm16')).toEqual(encodeSamples(speech, 'pcm16'));
    },
  );
});
