import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync } from 'node:fs';
import { rmSync, statSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../electron/adapters/files/file-storage.ts';
import { bufferBase64 } from '../../electron/adapters/system/buffer-base64.ts';
import { openTape } from '../../electron/recording/open-tape.ts';
import { repairTape } from '../../electron/recording/repair-tape.ts';
import { englishErrorMessage } from '../../shared/i18n/en/describe-app-error.ts';

const stored = join(import.meta.dirname, '../fixtures/tapes/video');
const deps = { files: createFiles(), base64: bufferBase64 };

let root: string;
let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-hostile-')));
  folder = join(root, 'tape');
  cpSync(stored, folder, { recursive: true });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const rows = () => readFileSync(at('tape.ndjson'), 'utf8').trimEnd().split('\n');
const writeAll = (lines: readonly string[]) => {
  writeFileSync(at('tape.ndjson'), `${lines.join('\n')}\n`);
};
const write = (...lines: readonly string[]) => {
  writeAll(lines);
};

interface Opened {
  readonly lines: number;
  readonly says: string;
  readonly missing: readonly string[];
  readonly ms: number;
  readonly megabytes: number;
}

/** Opens it and takes every frame of it; what that says, and what it takes. */
async function open(path = folder): Promise<Opened> {
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const tape = await openTape(path, deps);
  if (tape.ok)
    for (const line of tape.value.lines) if ('frame' in line) tape.value.frame(line.frame);
  const found = {
    lines: tape.ok ? tape.value.lines.length : 0,
    says: tape.ok
      ? tape.value.damage === undefined
        ? 'whole'
        : englishErrorMessage(tape.value.damage)
      : englishErrorMessage(tape.error),
    missing: tape.ok ? tape.value.missing() : [],
    ms: performance.now() - began,
    megabytes: (process.memoryUsage().rss - before) / 1_000_000,
  };
  if (tape.ok) tape.value.close();
  return found;
}

/** Far beyond what any of them takes, and far below what one without bounds would. */
function expectBounds({ ms, megabytes }: Opened): void {
  expect(ms).toBeLessThan(30_000);
  expect(megabytes).toBeLessThan(1200);
}

describe('a tape that is not what Parley wrote', () => {
  it('is whole where nothing was done to it, also under another name', async () => {
    const whole = await open();
    expect(whole).toMatchObject({ says: 'whole', missing: [] });
    renameSync(folder, join(root, 'x y—z'));
    expect(await open(join(root, 'x y—z'))).toMatchObject({ lines: whole.lines, says: 'whole' });
  });

  it('of version 99 is refused in a sentence', async () => {
    const [header = '', ...rest] = rows();
    write(header.replace('"version":1', '"version":99'), ...rest);
    const { says } = await open();
    expect(says).toBe(
      `This has version 99; this Parley reads version 1. ${folder} cannot be played.`,
    );
  });

  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'with a link, a pipe, a socket or a device as %s is refused or played without it, unopened',
    async (name) => {
      const elsewhere = join(root, 'secret');
      cpSync(at(name), elsewhere);
      const server = createServer();
      const links: readonly (() => void | Promise<void>)[] = [
        () => {
          symlinkSync(elsewhere, at(name));
        },
        () => {
          execFileSync('mkfifo', [at(name)]);
        },
        () => {
          symlinkSync('/dev/zero', at(name));
        },
        () =>
          new Promise((listening) => {
            server.listen(at(name), listening);
          }),
      ];
      for (const link of links) {
        unlinkSync(at(name));
        await link();
        const found = await open();
        expectBounds(found);
        if (name === 'tape.ndjson') expect(found.says).toContain('not an ordinary file.');
        else if (name === 'answer.wav')
          expect(found.says).toContain('is shorter than its tape says.');
        else expect(found).toMatchObject({ says: 'whole', missing: [name] });
      }
      await new Promise((closed) => server.close(closed));
    },
  );

  it.each([
    '../secret',
    '/etc/passwd',
    '..',
    'a/b',
    String.raw`a\b`,
    'C:x',
    '.hidden',
    'x\u0000y',
    'n'.repeat(300),
  ])('that refers to %j is refused', async (name) => {
    for (const key of ['$file', '$sound']) {
      const reference = JSON.stringify({ [key]: name, from: 0, samples: 1 });
      const [header = '', ...rest] = rows();
      cpSync(stored, folder, { recursive: true, force: true });
      write(header, `{"at":1,"dir":"in","frame":{"audio":${reference}}}`, ...rest);
      expect((await open()).says).toContain('which is not in its folder.');
    }
  });

  it.each([
    ['negative', '-5', 2],
    ['backward', '0', 2],
    ['no number', 'null', 1],
    ['NaN', 'NaN', 1],
    ['endless', '1e999', 1],
    ['a billion seconds', '1e12', 1],
  ])(
    'with a time that is %s is opened as far as it is whole, in order',
    async (_what, time, lines) => {
      const [header = '', open1 = ''] = rows();
      write(
        header,
        open1,
        `{"at":${time},"dir":"in","frame":{"type":"x"}}`,
        '{"at":1,"dir":"end","end":{}}',
      );
      const tape = await openTape(folder, deps);
      if (!tape.ok) throw new Error(tape.error.code);
      expect(tape.value.lines.slice(0, 2).length).toBe(lines);
      const times = tape.value.lines.map((line) => line.at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      tape.value.close();
    },
  );

  it('with 100,000 connections is opened as far as talks go', async () => {
    const [header = ''] = rows();
    const opens = Array.from(
      { length: 100_000 },
      (_, n) => `{"at":${n},"connection":${n + 1},"dir":"open"}`,
    );
    writeAll([header, ...opens]);
    const found = await open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1000, says: 'Line 1002 is damaged.' });
  });

  it('with a million lines is opened within bounds', async () => {
    const [header = ''] = rows();
    const line = (n: number) => `{"at":${n},"dir":"in","frame":{"n":${n}}}`;
    writeAll([header, ...Array.from({ length: 1_000_000 }, (_, n) => line(n))]);
    const found = await open();
    expectBounds(found);
    expect(found.lines).toBe(250_000);
    expect(found.says).toBe('From line 250002 on it is longer than a tape may be.');
  });

  it.each([1000, 1_000_000])('with JSON %i deep is opened up to there', async (depth) => {
    const [header = '', first = ''] = rows();
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    write(header, first, `{"at":5,"dir":"in","frame":{"a":${deep}}}`, '{"at":6,"dir":"open"}');
    const found = await open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1, says: 'Line 3 is damaged.' });
  });

  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'whose %s is a sparse file of 10 GB is opened within bounds',
    async (name) => {
      truncateSync(at(name), 10_000_000_000);
      const found = await open();
      expectBounds(found);
      if (name === 'tape.ndjson') expect(found.says).toContain('it is longer than a tape may be.');
      else expect(found).toMatchObject({ says: 'whole' });
      expect(found.missing).toEqual(name === 'frame-0001.jpg' ? [name] : []);
    },
  );

  it('that asks for more sound than a frame can have is opened up to there', async () => {
    truncateSync(at('answer.wav'), 10_000_000_000);
    const [header = '', first = ''] = rows();
    const huge = '{"$sound":"answer.wav","from":0,"samples":50000000}';
    write(header, first, `{"at":5,"dir":"in","frame":{"audio":${huge}}}`);
    const found = await open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1 });
  });

  it.each([
    ['a data chunk of 4 GB', 54, 0xff_ff_ff_ff],
    ['a rate of none', 24, 0],
    ['a chunk that leads beyond the end', 16, 0xff_ff_ff_f0],
  ])('whose WAV has a header with %s is refused or opened', async (_what, offset, value) => {
    const wav = readFileSync(at('answer.wav'));
    wav.writeUInt32LE(value, offset);
    writeFileSync(at('answer.wav'), wav);
    const found = await open();
    expectBounds(found);
    expect(found.says).toMatch(/^whole$|cannot be (?:played|read)|is shorter|damaged/);
  });

  it('is repaired without a write outside the new folder', async () => {
    truncateSync(at('answer.wav'), 5000);
    unlinkSync(at('frame-0001.jpg'));
    symlinkSync(join(root, 'target'), at('frame-0001.jpg'));
    const repaired = await repairTape(folder, join(root, 'new'), deps);
    expect(repaired).toMatchObject({ ok: true });
    expect(readdirSync(root).toSorted()).toEqual(['new', 'tape']);
    expect(readdirSync(folder).toSorted()).toEqual(readdirSync(stored).toSorted());
    expect(statSync(at('answer.wav')).size).toBe(5000);
    expect(await open(join(root, 'new'))).toMatchObject({ missing: [] });
  });
});

describe('a tape of an older version', () => {
  it('goes through the steps that make it ours', async () => {
    const [header = '', ...rest] = rows();
    write(
      header.replace('"version":1', '"version":0').replace('"mode"', '"kind"'),
      ...rest.map((row) => row.replace('"at"', '"time"')),
    );
    expect((await open()).says).toContain('This has version 0; this Parley reads version 1.');
    const steps = {
      0: {
        header: ({ kind = null, ...others }) => ({ ...others, mode: kind }),
        line: ({ time = null, ...others }) => ({ ...others, at: time }),
      },
    };
    const tape = await openTape(folder, { ...deps, steps });
    if (!tape.ok) throw new Error(tape.error.code);
    expect(tape.value.header).toMatchObject({ version: 1, mode: 'video' });
    expect(tape.value.lines.length).toBe(rest.length);
    expect(tape.value.damage).toBeUndefined();
    tape.value.close();
  });
});
