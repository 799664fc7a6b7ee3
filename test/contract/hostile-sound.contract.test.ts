import {
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repairTape } from '../../electron/recordings/edit/tape-tools.ts';
import { expectBounds, HostileTape, openHostile, tapeDeps } from './hostile-tape.ts';

const spoilt = new HostileTape();

describe('a tape with foreign sound and pictures', () => {
  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'is opened within bounds if its %s is a sparse file of 10 GB',
    async (name) => {
      truncateSync(spoilt.at(name), 10_000_000_000);
      const found = await spoilt.open();
      expectBounds(found);
      if (name === 'tape.ndjson') expect(found.message).toContain('is longer than a tape may be');
      else expect(found).toMatchObject({ message: 'whole' });
      expect(found.missing).toEqual(name === 'frame-0001.jpg' ? [name] : []);
    },
  );

  it('is opened up to a frame that claims too much sound', async () => {
    truncateSync(spoilt.at('answer.wav'), 10_000_000_000);
    const [header = '', first = ''] = spoilt.rows();
    const huge = '{"$sound":"answer.wav","from":0,"samples":50000000}';
    spoilt.write(header, first, `{"at":5,"dir":"in","frame":{"audio":${huge}}}`);
    const found = await spoilt.open();
    expectBounds(found);
    expect(found).toMatchObject({ lines: 1 });
  });

  it.each([
    ['a data chunk of 4 GB', 54, 0xff_ff_ff_ff],
    ['a rate of none', 24, 0],
    ['a chunk that leads beyond the end', 16, 0xff_ff_ff_f0],
  ])('is refused or opened if the header of its WAV has %s', async (_what, offset, value) => {
    const wav = readFileSync(spoilt.at('answer.wav'));
    wav.writeUInt32LE(value, offset);
    writeFileSync(spoilt.at('answer.wav'), wav);
    const found = await spoilt.open();
    expectBounds(found);
    expect(found.message).toMatch(/^whole$|cannot be (?:played|read)|is shorter|damaged/);
  });

  it('is repaired without writing outside the new folder', async () => {
    truncateSync(spoilt.at('answer.wav'), 5000);
    unlinkSync(spoilt.at('frame-0001.jpg'));
    symlinkSync(join(spoilt.root, 'target'), spoilt.at('frame-0001.jpg'));
    const repaired = await repairTape(spoilt.folder, join(spoilt.root, 'new'), tapeDeps);
    expect(repaired).toMatchObject({ ok: true });
    expect(readdirSync(spoilt.root).toSorted()).toEqual(['new', 'tape']);
    expect(readdirSync(spoilt.folder).toSorted()).toEqual(spoilt.names);
    expect(statSync(spoilt.at('answer.wav')).size).toBe(5000);
    expect(await openHostile(join(spoilt.root, 'new'))).toMatchObject({ missing: [] });
  });
});
