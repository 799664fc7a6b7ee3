import { execFileSync } from 'node:child_process';
import {
  cpSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { repairTape } from '../../electron/recordings/edit/tape-tools.ts';
import { openTape } from '../../electron/recordings/tape/tape-archive.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { putStoredTape } from '../fixtures/stored-tape.ts';

const tapeDeps = { files: createFiles(), base64: bufferBase64 };

/** Opens a tape and plays every frame, within limits far above what any of these tapes needs. */
async function openHostile(path: string) {
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const tape = await openTape(path, tapeDeps);
  if (tape.ok)
    for (const line of tape.value.lines) if ('frame' in line) tape.value.frame(line.frame);
  const error = tape.ok ? tape.value.damage : tape.error;
  const found = {
    lines: tape.ok ? tape.value.lines.length : 0,
    /** Its damage or error as a sentence. */
    message: error === undefined ? 'whole' : englishErrorMessage(error),
    missing: tape.ok ? tape.value.missing() : [],
  };
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(1.2e9);
  if (tape.ok) tape.value.close();
  return found;
}

/** A file beside the tape’s folder, which the tests corrupt. */
let beside: (name: string) => string;
let folder: string;
/** The header of the tape and its first line. */
let [header, first] = ['', ''];

beforeEach(() => {
  beside = workFolder();
  folder = beside('tape');
  putStoredTape('video', folder);
  [header = '', first = ''] = readFileSync(at('tape.ndjson'), 'utf8').split('\n');
});

const at = (name: string): string => `${folder}/${name}`;
const write = (lines: readonly string[]): void =>
  writeFileSync(at('tape.ndjson'), `${lines.join('\n')}\n`);
const numbered = (count: number, line: (n: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, n) => line(n));

describe('a foreign tape', () => {
  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'never opens a link, pipe, socket or device as %s',
    async (name) => {
      cpSync(at(name), beside('secret'));
      const server = createServer();
      for (const link of [
        () => symlinkSync(beside('secret'), at(name)),
        () => execFileSync('mkfifo', [at(name)]),
        () => symlinkSync('/dev/zero', at(name)),
        () => new Promise<void>((listening) => void server.listen(at(name), listening)),
      ]) {
        unlinkSync(at(name));
        await link();
        const found = await openHostile(folder);
        if (name === 'tape.ndjson') expect(found.message).toContain('not an ordinary file.');
        else if (name === 'answer.wav')
          expect(found.message).toContain('is shorter than its tape says.');
        else expect(found).toMatchObject({ message: 'whole', missing: [name] });
      }
      await new Promise((closed) => server.close(closed));
    },
  );

  it.each(['../secret', '/etc/passwd', '..', String.raw`a\b`, 'C:x', '.hidden', 'x\0y'])(
    'is refused if it refers to %j',
    async (name) => {
      for (const key of ['$file', '$sound']) {
        const reference = JSON.stringify({ [key]: name, from: 0, samples: 1 });
        write([header, `{"at":1,"dir":"in","frame":{"audio":${reference}}}`]);
        expect((await openHostile(folder)).message).toContain('which is not in its folder.');
      }
    },
  );

  it.each([
    ['negative', '-5', 2],
    ['backward', '0', 2],
    ['NaN', 'NaN', 1],
    ['infinite', '1e999', 1],
    ['a billion seconds', '1e12', 1],
  ])('opens with its lines in order if a time is %s', async (_what, time, lines) => {
    write([header, first, `{"at":${time},"dir":"in","frame":{}}`, '{"at":1,"dir":"end","end":{}}']);
    const tape = unwrap(await openTape(folder, tapeDeps));
    expect(tape.lines.slice(0, 2).length).toBe(lines);
    const times = tape.lines.map((line) => line.at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    tape.close();
  });

  it.each([
    [
      '100,000 connections',
      () => numbered(100_000, (n) => `{"at":${n},"connection":${n + 1},"dir":"open"}`),
      { lines: 1000, message: 'Line 1002 is damaged.' },
    ],
    [
      'a million lines',
      () => numbered(1_000_000, (n) => `{"at":${n},"dir":"in","frame":{"n":${n}}}`),
      { lines: 250_000, message: 'It is longer than a tape may be, from line 250002 on.' },
    ],
    [
      'JSON a million levels deep',
      () => [first, `{"at":5,"dir":"in","frame":${'['.repeat(1e6)}${']'.repeat(1e6)}}`],
      { lines: 1, message: 'Line 3 is damaged.' },
    ],
    [
      'a frame that claims too much sound',
      () => {
        truncateSync(at('answer.wav'), 10_000_000_000);
        const huge = '{"$sound":"answer.wav","from":0,"samples":50000000}';
        return [first, `{"at":5,"dir":"in","frame":{"audio":${huge}}}`];
      },
      { lines: 1 },
    ],
  ])('opens up to the limit if it has %s', async (_what, lines, found) => {
    write([header, ...lines()]);
    expect(await openHostile(folder)).toMatchObject(found);
  });
});

describe('a tape with foreign sound and pictures', () => {
  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'is opened within bounds if its %s is a sparse file of 10 GB',
    async (name) => {
      truncateSync(at(name), 10_000_000_000);
      const found = await openHostile(folder);
      expect(found.message).toMatch(
        name === 'tape.ndjson' ? /is longer than a tape may be/ : /^whole$/,
      );
      expect(found.missing).toEqual(name === 'frame-0001.jpg' ? [name] : []);
    },
  );

  it.each([
    ['a data chunk of 4 GB', 54, 0xff_ff_ff_ff],
    ['a rate of none', 24, 0],
    ['a chunk that leads beyond the end', 16, 0xff_ff_ff_f0],
  ])(
    'is opened or refused with a message if the header of its WAV has %s',
    async (_what, offset, value) => {
      const wav = readFileSync(at('answer.wav'));
      wav.writeUInt32LE(value, offset);
      writeFileSync(at('answer.wav'), wav);
      expect((await openHostile(folder)).message).toMatch(
        /^whole$|cannot be (?:played|read)|is shorter|damaged/,
      );
    },
  );

  it('is repaired without writing outside the new folder', async () => {
    const names = readdirSync(folder);
    truncateSync(at('answer.wav'), 5000);
    unlinkSync(at('frame-0001.jpg'));
    symlinkSync(beside('target'), at('frame-0001.jpg'));
    const repaired = await repairTape(folder, beside('new'), tapeDeps);
    expect(repaired).toMatchObject({ ok: true });
    expect(readdirSync(beside('.')).toSorted()).toEqual(['new', 'tape']);
    expect(readdirSync(folder)).toEqual(names);
    expect(statSync(at('answer.wav')).size).toBe(5000);
    expect(await openHostile(beside('new'))).toMatchObject({ missing: [] });
  });
});
