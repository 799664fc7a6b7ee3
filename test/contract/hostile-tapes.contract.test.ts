import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTape } from '../../electron/recordings/tape/open-tape.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { expectBounds, HostileTape, openHostile, tapeDeps } from './hostile-tape.ts';

const hostileTape = new HostileTape();

describe('a foreign tape', () => {
  it('opens completely, even under another name', async () => {
    const whole = await hostileTape.open();
    expect(whole).toMatchObject({ message: 'whole', missing: [] });
    renameSync(hostileTape.folder, join(hostileTape.root, 'x y—z'));
    expect(await openHostile(join(hostileTape.root, 'x y—z'))).toMatchObject({
      lines: whole.lines,
      message: 'whole',
    });
  });

  it('is refused with a message for version 99', async () => {
    const [header = '', ...rest] = hostileTape.rows();
    hostileTape.write(header.replace('"version":1', '"version":99'), ...rest);
    const { message } = await hostileTape.open();
    expect(message).toBe(
      `This tape has version 99; this Parley reads version 1. ${hostileTape.folder} cannot be played.`,
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
  ])('opens in order up to a time that is %s', async (_what, time, lines) => {
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
    hostileTape.writeAll([header, ...opens]);
    const found = await hostileTape.open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1000, message: 'Line 1002 is damaged.' });
  });

  it('opens up to the limit of lines if it has a million', async () => {
    const [header = ''] = hostileTape.rows();
    const line = (n: number) => `{"at":${n},"dir":"in","frame":{"n":${n}}}`;
    hostileTape.writeAll([header, ...Array.from({ length: 1_000_000 }, (_, n) => line(n))]);
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

describe('a tape of an older version', () => {
  it('is refused with its version', async () => {
    const [header = '', ...rest] = hostileTape.rows();
    hostileTape.write(header.replace('"version":1', '"version":0'), ...rest);
    expect((await hostileTape.open()).message).toContain(
      'This tape has version 0; this Parley reads version 1.',
    );
  });
});
