import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stateFolder } from '../../electron/platform/files/state-folder.ts';
import { bufferBase64, startSha256 } from '../../electron/platform/system/base64-sha256.ts';
import { cutTape } from '../../electron/recordings/edit/cut-tape.ts';
import { serializeTalk } from '../../electron/recordings/history/talk-source.ts';
import type { Files } from '../../shared/ports/files.ts';
import { replayExamples } from '../../shared/recordings/replay-view.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { parley } from '../fakes/fake-terminal.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { mountSmallDisk, workFolder } from '../fakes/work-folder.ts';
import { convertToFlac, packFolder } from '../fixtures/pack-tape.ts';
import { recordTalk, type TalkScript } from '../fixtures/record-talk.ts';
import { putStoredTape, renderDeps, renderInSteps, tapeIn } from '../fixtures/stored-tape.ts';

// Rendering a tape can take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const example = (name: string) =>
  join(import.meta.dirname, `../../resources/tapes/${name}.parleytape`);
/** A tape has the playhead's position only at intervals, so its times are inexact. */
const toleranceMs = 120;

const speaks = (ms: number) => [500, 8000, 16_000].some((from) => ms >= from && ms < from + 1000);
const end: TalkScript['actions'][number] = [26_000, (talk) => talk.end()];

/** `older`: in the format of older versions. */
const talks: Readonly<Record<string, TalkScript & { readonly older?: true }>> = {
  'of a voice talk': { speaks, actions: [end] },
  'with FLAC sound': { sound: 'pcm16', older: true, speaks, actions: [end] },
  'of a legacy server': {
    speaks,
    gateway: { dialect: 'legacy', profile: 'documented' },
    actions: [end],
  },
  'with pictures': {
    mode: 'video',
    speaks,
    actions: [
      [3000, (talk) => talk.pushFrame(fakeJpeg)],
      [12_000, (talk) => talk.pushFrame(fakeJpeg)],
      end,
    ],
  },
  'with a lost connection': {
    speaks,
    gateway: { faults: [{ kind: 'drop', session: 1, atStep: 9 }] },
    actions: [end],
  },
};

async function renderIn(folder: string, files: Files) {
  const tape = await tapeIn(folder, files);
  const { rendered } = await renderInSteps(tape);
  tape.close();
  return { rendered, damage: tape.damage?.code, header: tape.header };
}

async function record({ older, ...talk }: TalkScript & { readonly older?: true }) {
  const files = new FakeFiles();
  await recordTalk('/tape', files, talk);
  if (older) await convertToFlac('/tape', files);
  return files;
}

async function cutIn(files: FakeFiles, from: number, to: number) {
  const deps = { files, base64: bufferBase64, digest: startSha256, rendering: renderDeps };
  return cutTape('/tape', '/cut', { from, to }, deps);
}

describe.each(Object.entries(talks))('a section of a tape %s', (_name, talk) => {
  const tape = record(talk);

  it.each([
    { when: 'with an answer in it', from: 7000, to: 16_000 },
    { when: 'that begins in an answer', from: 11_500, to: 25_000 },
    { when: 'from the beginning', from: 0, to: 12_000 },
  ])('keeps the turns and marks at their times: $when', async ({ from, to }) => {
    const files = await tape;
    for (const name of files.names()) if (name.startsWith('/cut/')) files.remove(name);
    const health = unwrap(await cutIn(files, from, to));
    expect(health).toMatchObject({ state: 'early', missing: [], changed: [] });
    const [whole, cut] = [await renderIn('/tape', files), await renderIn('/cut', files)];
    expect(cut.damage).toBe('tapeIsStretch');
    expect(Date.parse(cut.header.recordedAt) - Date.parse(whole.header.recordedAt)).toBe(from);
    expect(Math.abs(cut.rendered.lengthMs - (to - from))).toBeLessThan(toleranceMs);
    const expectedTurns = whole.rendered.turns.filter(
      (turn) => turn.to > from + 1000 && turn.from < to - 500,
    );
    expect(expectedTurns.length).toBeGreaterThan(0);
    expect(cut.rendered.turns.length).toBe(expectedTurns.length);
    for (const [index, turn] of expectedTurns.entries()) {
      const other = cut.rendered.turns[index];
      if (turn.from > from)
        expect(Math.abs((other?.from ?? 0) + from - turn.from)).toBeLessThan(toleranceMs);
      if (turn.to < to)
        expect(Math.abs((other?.to ?? 0) + from - turn.to)).toBeLessThan(toleranceMs);
    }
    const marksIn = (rendered: typeof cut.rendered, begin: number, finish: number) =>
      rendered.marks.flatMap(({ at, kind }) => (at > begin && at < finish ? [kind] : []));
    expect(marksIn(cut.rendered, 0, to - from - 1)).toEqual(marksIn(whole.rendered, from, to - 1));
  });
});

it('a cut that spans the whole tape equals the tape byte for byte', async () => {
  const files = await record(talks['with pictures'] ?? { actions: [] });
  await cutIn(files, 0, Infinity);
  const names = files.names().filter((path) => path.startsWith('/tape/'));
  expect(names.length).toBe(5);
  for (const name of names) {
    const own = files.bytes(name.replace('/tape', '/cut'));
    expect([name, Buffer.from(own).equals(files.bytes(name))]).toEqual([name, true]);
  }
});

describe('parley tape cut', () => {
  it('creates a playable folder or file with checksums', async () => {
    const at = workFolder();
    const range = ['--from', '2.5', '--to', '14'];
    const one = await parley(
      'tape',
      'cut',
      example('voice'),
      ...range,
      '--output',
      at('a.parleytape'),
    );
    expect(one).toEqual({
      code: 0,
      out: `${at('a.parleytape')} was created: 11.5 seconds.\n`,
      err: '',
    });
    const folder = await parley('tape', 'cut', at('a.parleytape'), '--from', '2', '--json');
    expect({ code: folder.code, made: existsSync(at('a-cut/checksums.json')) }).toEqual({
      code: 0,
      made: true,
    });
    expect(JSON.parse(folder.out)).toMatchObject({ state: 'early', seconds: 9.5, changed: [] });
    const checked = await parley('tape', 'check', at('a-cut'));
    expect(checked).toMatchObject({ code: 0, err: '' });
    expect(checked.out).toContain('9.5 seconds, complete, but ends before its talk did.\n');
    expect(checked.out).toContain('It is a section of a longer talk.');
    const played = await parley('replay', at('a.parleytape'), '--speed', 'max');
    expect(played.code).toBe(0);
    expect(played.out).toContain('the demonstration that lives inside');
    expect(played.err).toMatch(/^The tape ends after \d+ seconds/mu);
    expect(readFileSync(at('a-cut/tape.ndjson'), 'utf8')).toContain('"kind":"began"');
  });

  it.each([
    [[], 'Name the section: parley tape cut TAPE --from 12.5 --to 31.'],
    [['--from', '5', '--to', '5'], '--to must be later than --from.'],
    [['--from', '-1'], '--from'],
    [['--from', 'x'], '--from takes a number'],
    [['--from', '400'], 'has only 18.5 seconds.'],
    [['--from', '18.49', '--to', '18.495'], 'has no messages.'],
  ])('explains why it refuses %j', async (range, says) => {
    const at = workFolder();
    const args = ['tape', 'cut', example('voice'), ...range, '--output', at('new')];
    const { code, out, err } = await parley(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
    expect(existsSync(at('new'))).toBe(false);
  });

  it('refuses to overwrite the tape', async () => {
    const name = example('voice');
    const before = readFileSync(name);
    const { code, err } = await parley('tape', 'cut', name, '--to', '3', '--output', name);
    expect(code).toBe(2);
    expect(err).toContain('): name another path.');
    expect(readFileSync(name).equals(before)).toBe(true);
  });
});

// A folder for this file’s tests alone, because others unpack tapes at the same time.
let temporary = '';
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'parley-unpacked-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  rmSync(temporary, { recursive: true, force: true });
});

const forms = ['its folder', 'its lines', 'one file'] as const;

/** A stored tape that can be opened only in the given form. */
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
      out: expect.stringMatching(
        /^A talk \(video\) of \S+ \S+, 5\.5 seconds, complete\.\n$/,
      ) as string,
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
});

describe('a tape in the working folder', () => {
  const before = process.cwd();
  afterEach(() => process.chdir(before));

  it('gives its own name to the files beside it', async () => {
    const at = workFolder();
    putStoredTape('video', at('talk'));
    process.chdir(at('talk'));
    expect(await parley('tape', 'export', '.', '--as', 'txt')).toMatchObject({ code: 0 });
    expect(await parley('tape', 'redact', 'tape.ndjson')).toMatchObject({ code: 0 });
    expect(readdirSync(at('.')).toSorted()).toEqual(['talk', 'talk-redacted', 'talk.txt']);
  });

  it('is exported with the user’s words from the record of its talk', async () => {
    const at = workFolder();
    putStoredTape('video', at('tapes/one'));
    mkdirSync(at('talks/one'), { recursive: true });
    const begunAt = Date.parse('2026-01-02T03:04:05.000Z');
    const record = serializeTalk({
      title: '',
      pinned: false,
      mode: 'video',
      server: { name: 'Home' },
      begunAt,
      savedAt: begunAt,
      turns: [
        { by: 'person', at: 1000, text: 'What is this?', heard: 13, transcribed: 'byMachine' },
      ],
      events: [],
      pictures: [],
    });
    writeFileSync(at('talks/one/talk.json'), record);
    for (const [folder, tape] of [
      ['tapes', 'one'],
      ['tapes', './one'],
      ['talks', '../tapes/one'],
      ['tapes/one', '../one'],
      ['.', 'tapes/one'],
    ] as const) {
      process.chdir(at(folder));
      const args = ['tape', 'export', tape, '--as', 'txt', '--output', at('one.txt')];
      expect(await parley(...args)).toMatchObject({ code: 0 });
      expect(readFileSync(at('one.txt'), 'utf8'), tape).toContain('What is this?');
    }
  });
});

describe('a tape as one file', () => {
  it('that cannot be unpacked on a full disk is a failure and not wrong usage', async (context) => {
    // The disk's folder is not in `temporary`, which `afterEach` removes while the disk is still mounted.
    vi.unstubAllEnvs();
    const at = workFolder();
    mountSmallDisk(at('disk'), context, '64k');
    vi.stubEnv('PARLEY_STATE_DIR', at('disk'));
    const tape = example('voice');
    for (const args of [
      ['replay', tape],
      ['tape', 'export', tape, '--as', 'md'],
      ['tape', 'check', tape],
    ]) {
      const { code, err } = await parley(...args);
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(err).toMatch(/scratch\S* cannot be written: the disk is full\.\n$/);
    }
  });

  it.each([
    ['notes.txt', 'is not a Parley recording.'],
    ['gone.parleytape', 'does not exist'],
    ['empty', 'is not a Parley recording.'],
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
