import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTape } from '../../electron/recordings/tape/open-tape.ts';
import { expectBounds, HostileTape, openHostile, tapeDeps } from './hostile-tape.ts';

const spoilt = new HostileTape();

describe('a foreign tape', () => {
  it('is complete even under another name', async () => {
    const whole = await spoilt.open();
    expect(whole).toMatchObject({ says: 'whole', missing: [] });
    renameSync(spoilt.folder, join(spoilt.root, 'x y—z'));
    expect(await openHostile(join(spoilt.root, 'x y—z'))).toMatchObject({
      lines: whole.lines,
      says: 'whole',
    });
  });

  it('is refused with a message for version 99', async () => {
    const [header = '', ...rest] = spoilt.rows();
    spoilt.write(header.replace('"version":1', '"version":99'), ...rest);
    const { says } = await spoilt.open();
    expect(says).toBe(
      `This tape has version 99; this Parley reads version 1. ${spoilt.folder} cannot be played.`,
    );
  });

  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'a link, pipe, socket or device as %s is refused or never opened',
    async (name) => {
      const outsidePath = join(spoilt.root, 'secret');
      cpSync(spoilt.at(name), outsidePath);
      const server = createServer();
      const links: readonly (() => void | Promise<void>)[] = [
        () => {
          symlinkSync(outsidePath, spoilt.at(name));
        },
        () => {
          execFileSync('mkfifo', [spoilt.at(name)]);
        },
        () => {
          symlinkSync('/dev/zero', spoilt.at(name));
        },
        () =>
          new Promise((listening) => {
            server.listen(spoilt.at(name), listening);
          }),
      ];
      for (const link of links) {
        unlinkSync(spoilt.at(name));
        await link();
        const found = await spoilt.open();
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
  ])('a reference to %j is refused', async (name) => {
    for (const key of ['$file', '$sound']) {
      const reference = JSON.stringify({ [key]: name, from: 0, samples: 1 });
      const [header = '', ...rest] = spoilt.rows();
      spoilt.restore();
      spoilt.write(header, `{"at":1,"dir":"in","frame":{"audio":${reference}}}`, ...rest);
      expect((await spoilt.open()).says).toContain('which is not in its folder.');
    }
  });

  it.each([
    ['negative', '-5', 2],
    ['backward', '0', 2],
    ['no number', 'null', 1],
    ['NaN', 'NaN', 1],
    ['endless', '1e999', 1],
    ['a billion seconds', '1e12', 1],
  ])('a time that is %s ends the part that opens, in order', async (_what, time, lines) => {
    const [header = '', open1 = ''] = spoilt.rows();
    spoilt.write(
      header,
      open1,
      `{"at":${time},"dir":"in","frame":{"type":"x"}}`,
      '{"at":1,"dir":"end","end":{}}',
    );
    const tape = await openTape(spoilt.folder, tapeDeps);
    if (!tape.ok) throw new Error(tape.error.code);
    expect(tape.value.lines.slice(0, 2).length).toBe(lines);
    const times = tape.value.lines.map((line) => line.at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    tape.value.close();
  });

  it('100,000 connections open up to the limit of talks', async () => {
    const [header = ''] = spoilt.rows();
    const opens = Array.from(
      { length: 100_000 },
      (_, n) => `{"at":${n},"connection":${n + 1},"dir":"open"}`,
    );
    spoilt.writeAll([header, ...opens]);
    const found = await spoilt.open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1000, says: 'Line 1002 is damaged.' });
  });

  it('a million lines open within bounds', async () => {
    const [header = ''] = spoilt.rows();
    const line = (n: number) => `{"at":${n},"dir":"in","frame":{"n":${n}}}`;
    spoilt.writeAll([header, ...Array.from({ length: 1_000_000 }, (_, n) => line(n))]);
    const found = await spoilt.open();
    expectBounds(found);
    expect(found.lines).toBe(250_000);
    expect(found.says).toBe('It is longer than a tape may be, from line 250002 on.');
  });

  it.each([1000, 1_000_000])('JSON %i deep opens up to that line', async (depth) => {
    const [header = '', first = ''] = spoilt.rows();
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    spoilt.write(
      header,
      first,
      `{"at":5,"dir":"in","frame":{"a":${deep}}}`,
      '{"at":6,"dir":"open"}',
    );
    const found = await spoilt.open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1, says: 'Line 3 is damaged.' });
  });
});

describe('a tape of an older version', () => {
  it('is converted step by step', async () => {
    const [header = '', ...rest] = spoilt.rows();
    spoilt.write(
      header.replace('"version":1', '"version":0').replace('"mode"', '"kind"'),
      ...rest.map((row) => row.replace('"at"', '"time"')),
    );
    expect((await spoilt.open()).says).toContain(
      'This tape has version 0; this Parley reads version 1.',
    );
    const steps = {
      0: {
        header: ({ kind = null, ...others }) => ({ ...others, mode: kind }),
        line: ({ time = null, ...others }) => ({ ...others, at: time }),
      },
    };
    const older = await openTape(spoilt.folder, { ...tapeDeps, steps });
    if (!older.ok) throw new Error(older.error.code);
    expect(older.value.header).toMatchObject({ version: 1, mode: 'video' });
    expect(older.value.lines.length).toBe(rest.length);
    expect(older.value.damage).toBeUndefined();
    older.value.close();
  });
});
