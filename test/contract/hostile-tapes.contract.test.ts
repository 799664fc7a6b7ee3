import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { repairTape } from '../../electron/recordings/edit/tape-tools.ts';
import { openTape } from '../../electron/recordings/tape/open-tape.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { putStoredTape } from '../fixtures/stored-tape.ts';

/** The dependencies for opening tapes. */
const tapeDeps = { files: createFiles(), base64: bufferBase64 };

interface Opened {
  readonly lines: number;
  /** Its damage or error as a sentence; `whole` if there is none. */
  readonly message: string;
  readonly missing: readonly string[];
  readonly ms: number;
  readonly megabytes: number;
}

/** Opens a tape and plays every frame; returns the messages, time and memory. */
async function openHostile(path: string): Promise<Opened> {
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const tape = await openTape(path, tapeDeps);
  if (tape.ok)
    for (const line of tape.value.lines) if ('frame' in line) tape.value.frame(line.frame);
  const found = {
    lines: tape.ok ? tape.value.lines.length : 0,
    message: tape.ok
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

/** Limits far above what any of these tapes needs, and far below unbounded use. */
function expectBounds({ ms, megabytes }: Opened): void {
  expect(ms).toBeLessThan(30_000);
  expect(megabytes).toBeLessThan(1200);
}

/** A valid tape before each test, for the test to corrupt. */
class HostileTape {
  /** The parent of the tape’s folder. */
  root = '';
  /** The names of its files before corruption. */
  names: readonly string[] = [];

  constructor() {
    beforeEach(() => {
      this.root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-hostile-')));
      this.restore();
      this.names = readdirSync(this.folder).toSorted();
    });
    afterEach(() => {
      rmSync(this.root, { recursive: true, force: true });
    });
  }

  /** Restores the valid tape. */
  restore(): void {
    putStoredTape('video', this.folder);
  }

  get folder(): string {
    return join(this.root, 'tape');
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  rows(): string[] {
    return readFileSync(this.at('tape.ndjson'), 'utf8').trimEnd().split('\n');
  }

  write(...lines: readonly string[]): void {
    writeFileSync(this.at('tape.ndjson'), `${lines.join('\n')}\n`);
  }

  /** Opens the tape and plays every frame; returns the messages, time and memory. */
  open(): Promise<Opened> {
    return openHostile(this.folder);
  }
}

const hostileTape = new HostileTape();

describe('a foreign tape', () => {
  it('opens completely, even under another name', async () => {
    const undamaged = await hostileTape.open();
    expect(undamaged).toMatchObject({ message: 'whole', missing: [] });
    renameSync(hostileTape.folder, join(hostileTape.root, 'x y—z'));
    expect(await openHostile(join(hostileTape.root, 'x y—z'))).toMatchObject({
      lines: undamaged.lines,
      message: 'whole',
    });
  });

  it.each([0, 99])('is refused with a message for version %i', async (version) => {
    const [header = '', ...rest] = hostileTape.rows();
    hostileTape.write(header.replace('"version":1', `"version":${version}`), ...rest);
    expect((await hostileTape.open()).message).toBe(
      `This tape has version ${version}; this Parley reads version 1. ${hostileTape.folder} cannot be played.`,
    );
  });

  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'never opens a link, pipe, socket or device as %s',
    async (name) => {
      const outsidePath = join(hostileTape.root, 'secret');
      cpSync(hostileTape.at(name), outsidePath);
      const server = createServer();
      const links: readonly (() => void | Promise<void>)[] = [
        () => {
          symlinkSync(outsidePath, hostileTape.at(name));
        },
        () => {
          execFileSync('mkfifo', [hostileTape.at(name)]);
        },
        () => {
          symlinkSync('/dev/zero', hostileTape.at(name));
        },
        () =>
          new Promise((listening) => {
            server.listen(hostileTape.at(name), listening);
          }),
      ];
      for (const link of links) {
        unlinkSync(hostileTape.at(name));
        await link();
        const found = await hostileTape.open();
        expectBounds(found);
        if (name === 'tape.ndjson') expect(found.message).toContain('not an ordinary file.');
        else if (name === 'answer.wav')
          expect(found.message).toContain('is shorter than its tape says.');
        else expect(found).toMatchObject({ message: 'whole', missing: [name] });
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
  ])('is refused if it refers to %j', async (name) => {
    for (const key of ['$file', '$sound']) {
      const reference = JSON.stringify({ [key]: name, from: 0, samples: 1 });
      const [header = '', ...rest] = hostileTape.rows();
      hostileTape.restore();
      hostileTape.write(header, `{"at":1,"dir":"in","frame":{"audio":${reference}}}`, ...rest);
      expect((await hostileTape.open()).message).toContain('which is not in its folder.');
    }
  });

  it.each([
    ['negative', '-5', 2],
    ['backward', '0', 2],
    ['null', 'null', 1],
    ['NaN', 'NaN', 1],
    ['infinite', '1e999', 1],
    ['a billion seconds', '1e12', 1],
  ])('opens with its lines in order if a time is %s', async (_what, time, lines) => {
    const [header = '', open1 = ''] = hostileTape.rows();
    hostileTape.write(
      header,
      open1,
      `{"at":${time},"dir":"in","frame":{"type":"x"}}`,
      '{"at":1,"dir":"end","end":{}}',
    );
    const tape = unwrap(await openTape(hostileTape.folder, tapeDeps));
    expect(tape.lines.slice(0, 2).length).toBe(lines);
    const times = tape.lines.map((line) => line.at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    tape.close();
  });

  it('opens up to the limit of connections if it has 100,000', async () => {
    const [header = ''] = hostileTape.rows();
    const opens = Array.from(
      { length: 100_000 },
      (_, n) => `{"at":${n},"connection":${n + 1},"dir":"open"}`,
    );
    hostileTape.write(header, opens.join('\n'));
    const found = await hostileTape.open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1000, message: 'Line 1002 is damaged.' });
  });

  it('opens up to the limit of lines if it has a million', async () => {
    const [header = ''] = hostileTape.rows();
    const line = (n: number) => `{"at":${n},"dir":"in","frame":{"n":${n}}}`;
    hostileTape.write(header, Array.from({ length: 1_000_000 }, (_, n) => line(n)).join('\n'));
    const found = await hostileTape.open();
    expectBounds(found);
    expect(found.lines).toBe(250_000);
    expect(found.message).toBe('It is longer than a tape may be, from line 250002 on.');
  });

  it.each([1000, 1_000_000])('opens up to a line with JSON %i levels deep', async (depth) => {
    const [header = '', first = ''] = hostileTape.rows();
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    hostileTape.write(
      header,
      first,
      `{"at":5,"dir":"in","frame":{"a":${deep}}}`,
      '{"at":6,"dir":"open"}',
    );
    const found = await hostileTape.open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1, message: 'Line 3 is damaged.' });
  });
});

describe('a tape with foreign sound and pictures', () => {
  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'is opened within bounds if its %s is a sparse file of 10 GB',
    async (name) => {
      truncateSync(hostileTape.at(name), 10_000_000_000);
      const found = await hostileTape.open();
      expectBounds(found);
      if (name === 'tape.ndjson') expect(found.message).toContain('is longer than a tape may be');
      else expect(found).toMatchObject({ message: 'whole' });
      expect(found.missing).toEqual(name === 'frame-0001.jpg' ? [name] : []);
    },
  );

  it('is opened up to a frame that claims too much sound', async () => {
    truncateSync(hostileTape.at('answer.wav'), 10_000_000_000);
    const [header = '', first = ''] = hostileTape.rows();
    const huge = '{"$sound":"answer.wav","from":0,"samples":50000000}';
    hostileTape.write(header, first, `{"at":5,"dir":"in","frame":{"audio":${huge}}}`);
    const found = await hostileTape.open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1 });
  });

  it.each([
    ['a data chunk of 4 GB', 54, 0xff_ff_ff_ff],
    ['a rate of none', 24, 0],
    ['a chunk that leads beyond the end', 16, 0xff_ff_ff_f0],
  ])(
    'is opened or refused with a message if the header of its WAV has %s',
    async (_what, offset, value) => {
      const wav = readFileSync(hostileTape.at('answer.wav'));
      wav.writeUInt32LE(value, offset);
      writeFileSync(hostileTape.at('answer.wav'), wav);
      const found = await hostileTape.open();
      expectBounds(found);
      expect(found.message).toMatch(/^whole$|cannot be (?:played|read)|is shorter|damaged/);
    },
  );

  it('is repaired without writing outside the new folder', async () => {
    truncateSync(hostileTape.at('answer.wav'), 5000);
    unlinkSync(hostileTape.at('frame-0001.jpg'));
    symlinkSync(join(hostileTape.root, 'target'), hostileTape.at('frame-0001.jpg'));
    const repaired = await repairTape(hostileTape.folder, join(hostileTape.root, 'new'), tapeDeps);
    expect(repaired).toMatchObject({ ok: true });
    expect(readdirSync(hostileTape.root).toSorted()).toEqual(['new', 'tape']);
    expect(readdirSync(hostileTape.folder).toSorted()).toEqual(hostileTape.names);
    expect(statSync(hostileTape.at('answer.wav')).size).toBe(5000);
    expect(await openHostile(join(hostileTape.root, 'new'))).toMatchObject({ missing: [] });
  });
});
