import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { checkTape } from '../../../../../electron/recordings/tape/check-tape.ts';
import { openTape } from '../../../../../electron/recordings/tape/open-tape.ts';
import type { FormatMigration } from '../../../../../electron/recordings/tape/tape.ts';
import type { FakeFiles } from '../../../../fakes/fake-files.ts';
import { storedTape } from '../../../../fixtures/stored-tape.ts';

/** Files as a version 0 could have written them, with other field names for the mode and directions. */
const older = (files: FakeFiles): FakeFiles => {
  const [header = '', ...lines] = files.text('/tape/tape.ndjson').split('\n');
  const before = header.replace('"version":1', '"version":0').replace('"mode"', '"kind"');
  const rows = lines.map((line) => line.replace('"dir":"in"', '"dir":"from"'));
  files.put('/tape/tape.ndjson', [before, ...rows].join('\n'));
  return files;
};

const step: FormatMigration = {
  header: ({ kind = null, ...header }) => ({ ...header, mode: kind }),
  line: (line) => (line['dir'] === 'from' ? { ...line, dir: 'in' } : line),
};

describe('a tape of an older version', () => {
  it('is migrated, header and lines', async () => {
    const ours = await openTape('/tape', { files: storedTape('video'), base64: bufferBase64 });
    const files = older(storedTape('video'));
    const read = await openTape('/tape', { files, base64: bufferBase64, steps: { 0: step } });
    if (!ours.ok || !read.ok) throw new Error('It cannot be read.');
    expect(read.value.header).toEqual({ ...ours.value.header });
    expect(read.value.lines).toEqual(ours.value.lines);
    expect(read.value.lines.length).toBeGreaterThan(10);
    expect(read.value.damage).toBeUndefined();
  });

  it('is checked the same way', async () => {
    const files = older(storedTape('video'));
    expect(await checkTape('/tape', { files, steps: { 0: step } })).toMatchObject({
      value: { state: 'whole', missing: [], header: { mode: 'video', version: 1 } },
    });
  });

  it('is refused with its version if there is no migration', async () => {
    const files = older(storedTape('video'));
    expect(await openTape('/tape', { files, base64: bufferBase64 })).toMatchObject({
      error: { code: 'tapeUnplayable', cause: { code: 'tapeVersion', facts: { version: '0' } } },
    });
  });
});
