import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stateFolder } from '../../electron/platform/files/state-folder.ts';
import { replayExamples } from '../../shared/recordings/replay-view.ts';
import { parley } from '../fakes/fake-terminal.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { packFolder } from '../fixtures/pack-tape.ts';
import { putStoredTape } from '../fixtures/stored-tape.ts';

// Tapes are rendered, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

// A folder for this file’s tests alone, because others unpack tapes at the same time.
let temporary = '';
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'parley-unpacked-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

const forms = ['its folder', 'its lines', 'one file'] as const;

/** A tape in the given form only. */
async function tapeAs(form: (typeof forms)[number]) {
  const at = workFolder();
  const folder = at('tape');
  putStoredTape('video', folder);
  if (form === 'its folder') return { at, tape: `${folder}/` };
  if (form === 'its lines') return { at, tape: join(folder, 'tape.ndjson') };
  writeFileSync(at('tape.parleytape'), await packFolder(folder));
  renameSync(folder, at('elsewhere'));
  return { at, tape: at('tape.parleytape') };
}

const unpacked = (): readonly string[] => {
  const scratch = join(stateFolder(), 'scratch');
  return existsSync(scratch) ? readdirSync(scratch) : [];
};

describe.each(forms)('a tape given as %s', (form) => {
  it('is replayed, checked, exported, redacted and compared, and leaves no temporary files', async () => {
    const before = unpacked();
    const { at, tape } = await tapeAs(form);
    const replayed = await parley('replay', tape, '--speed', 'max', '--json');
    expect({ code: replayed.code, err: replayed.err }).toEqual({ code: 0, err: '' });
    expect(replayed.out).toContain('"event":"closed"');
    expect(await parley('tape', 'check', tape)).toEqual({
      code: 0,
      out: 'A talk (video) of 2026-01-02T03:04:05.000Z, 5.5 seconds, complete.\n',
      err: '',
    });
    expect(await parley('tape', 'export', tape, '--as', 'md')).toEqual({
      code: 0,
      out: `${at('tape.md')} was created.\n`,
      err: '',
    });
    expect(await parley('tape', 'redact', tape)).toEqual({
      code: 0,
      out: `${at('tape-redacted')} was created: 5.5 seconds.\n`,
      err: '',
    });
    const compared = await parley('compare', tape, at('tape-redacted'), '--min-same-words', '0');
    expect(compared).toMatchObject({ code: 0, err: '' });
    expect(unpacked()).toEqual(before);
  });

  it('is checked and repaired under the given name', async () => {
    const before = unpacked();
    const whole = await tapeAs(form);
    expect(await parley('tape', 'repair', whole.tape)).toEqual({
      code: 2,
      out: '',
      err: `${whole.tape.replace(/\/(?:tape\.ndjson)?$/, '')} is undamaged: there is nothing to repair.\n`,
    });
    const at = workFolder();
    const folder = at('tape');
    putStoredTape('video', folder);
    writeFileSync(join(folder, 'answer.wav'), '');
    const one = at('tape.parleytape');
    writeFileSync(one, await packFolder(folder));
    const tape = {
      'its folder': folder,
      'its lines': join(folder, 'tape.ndjson'),
      'one file': one,
    }[form];
    const named = form === 'one file' ? one : folder;
    const checked = await parley('tape', 'check', tape);
    expect({ code: checked.code, err: checked.err }).toEqual({ code: 1, err: '' });
    expect(checked.out).toContain(`${named}/answer.wav is shorter than its tape says.`);
    const repaired = await parley('tape', 'repair', tape);
    expect({ ...repaired, there: existsSync(at('tape-repaired/tape.ndjson')) }).toEqual({
      code: 0,
      out: expect.stringContaining(`${at('tape-repaired')} was created`) as string,
      err: '',
      there: true,
    });
    expect(unpacked()).toEqual(before);
  });
});

describe('a tape as one file', () => {
  it('is recognised by its content; a folder may have any name', async () => {
    const at = workFolder();
    putStoredTape('video', at('made.parleytape'));
    writeFileSync(at('video.zip'), await packFolder(at('made.parleytape')));
    expect(await parley('tape', 'check', at('video.zip'))).toMatchObject({ code: 0, err: '' });
    expect(await parley('tape', 'check', at('made.parleytape'))).toMatchObject({ code: 0 });
  });

  it.each([
    ['notes.txt', 'is not a tape.'],
    ['gone.parleytape', 'does not exist'],
    ['empty', 'is not a tape.'],
  ])('is refused in one sentence if it is not a tape: %s', async (name, says) => {
    const at = workFolder();
    writeFileSync(at('notes.txt'), 'Milk, bread, paper.');
    mkdirSync(at('empty'));
    for (const command of [
      ['replay'],
      ['tape', 'check'],
      ['tape', 'repair'],
      ['tape', 'redact'],
      ['compare', at(name)],
    ]) {
      const { code, out, err } = await parley(...command, at(name));
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(says);
      expect(err.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});

describe('the examples', () => {
  it('are listed if no tape is named', async () => {
    const { code, err } = await parley('replay');
    expect(code).toBe(2);
    for (const name of replayExamples) expect(err).toContain(name);
    const both = await parley('replay', 'tape', '--example', 'voice');
    expect(both).toMatchObject({ code: 2 });
    expect(both.err).toContain('Give either TAPE or --example, not both.');
  });
});
