import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTalkStore } from '../../electron/platform/files/chat-and-talk-store.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { openHistoryIndex } from '../../electron/platform/history/history-index-thread.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { repairTape } from '../../electron/recordings/edit/tape-tools.ts';
import { HistoryEditor } from '../../electron/recordings/history/history-library.ts';
import { serializeTalk, TalkSource } from '../../electron/recordings/history/talk-source.ts';
import { openTape } from '../../electron/recordings/tape/tape-archive.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import type { TalkRecord } from '../../shared/recordings/talk-record.ts';
import { openHistoryOf } from '../fakes/history-library.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { putStoredTape } from '../fixtures/stored-tape.ts';

const validTalk: TalkRecord = {
  title: '',
  pinned: false,
  mode: 'audio',
  server: { name: 'Studio' },
  begunAt: Date.UTC(2026, 0, 1),
  savedAt: Date.UTC(2026, 0, 1, 0, 1),
  ending: { error: { code: 'noTalk', facts: {} }, by: 'client', orderly: true },
  turns: [{ by: 'parley', at: 10, text: 'Water boils at 100 degrees.', heard: 27 }],
  events: [{ at: 0, kind: 'began' }],
  pictures: [{ at: 5, file: 'picture-0001.jpg', width: 2, height: 2 }],
};

let at: (name: string) => string;
let reported: string[];

beforeEach(() => {
  at = workFolder();
  reported = [];
  mkdirSync(at('state/talks/good'), { recursive: true });
  writeFileSync(at('state/talks/good/talk.json'), serializeTalk(validTalk));
});

/** The history of the folder in its current state. */
function history() {
  const store = createTalkStore(at('state'));
  const source = new TalkSource(store);
  const index = openHistoryIndex(at('state/history'), undefined);
  const { sync, library } = openHistoryOf([source], index, {
    wallNow: () => Date.now(),
    reportError: (error) => reported.push(englishErrorMessage(error)),
  });
  const rejectAnswer = () => Promise.reject(new Error('unexpected question'));
  const noChats = { rename: rejectAnswer, pin: rejectAnswer, remove: rejectAnswer };
  const editor = new HistoryEditor({ talk: source, chat: noChats }, sync);
  return { store, source, sync, library, editor, close: () => index.close() };
}

async function listed(found = history()): Promise<readonly string[]> {
  await found.sync.rescan();
  const page = await found.library.list({ skip: 0, count: 50, filter: {} });
  await found.close();
  return page.ok ? page.value.entries.map(({ id }) => id) : [];
}

const putTalk = (name: string, text: string): void => {
  mkdirSync(at(`state/talks/${name}`), { recursive: true });
  writeFileSync(at(`state/talks/${name}/talk.json`), text);
};

const edited = (change: object): string =>
  JSON.stringify({ format: 'parley-talk', version: 1, ...validTalk, ...change });

describe('a damaged, foreign or hostile talk', () => {
  it.each([
    ['is cut', serializeTalk(validTalk).slice(0, 200)],
    ['is empty', ''],
    ['is not JSON', '\0\0\0\0'],
    ['is of another program', '{"format":"other","version":1}'],
    ['is nested too deeply', `{"format":"parley-talk","turns":${'['.repeat(200_000)}`],
    ['has a time in the far future', edited({ begunAt: 1e30 })],
    ['has a negative time', edited({ begunAt: -1 })],
    ['has an invalid turn', edited({ turns: [{ by: 'nobody', at: 0, text: 'x', heard: 0 }] })],
    ['has a million turns', edited({ turns: Array.from({ length: 1_000_000 }, () => 0) })],
    ['has a title that is too long', edited({ title: 'x'.repeat(2000) })],
  ])('is reported in one sentence if it %s, and the others are listed', async (_name, text) => {
    putTalk('bad', text);
    expect(await listed()).toEqual(['good']);
    expect(reported).toEqual([
      `${at('state/talks/bad')} cannot be read as a talk: it is damaged, or Parley did not write it.`,
    ]);
  });

  it('is left alone if it has a newer version', async () => {
    putTalk('bad', edited({ version: 2 }));
    expect(await listed()).toEqual(['good']);
    expect(reported).toEqual([
      `${at('state/talks/bad')} was written by a newer version of Parley: open it with that one.`,
    ]);
    expect(readFileSync(at('state/talks/bad/talk.json'), 'utf8')).toContain('"version":2');
  });

  it('is skipped if it is larger than a talk may be', async () => {
    putTalk('bad', '{}');
    truncateSync(at('state/talks/bad/talk.json'), 10_000_000_000);
    expect(await listed()).toEqual(['good']);
    expect(reported).toEqual([
      `${at('state/talks/bad/talk.json')} is too large to be one of Parley’s files.`,
    ]);
  });

  it('is reported once, and is read again after a repair', async () => {
    putTalk('bad', '{');
    const found = history();
    for (let round = 0; round < 3; round += 1) await found.sync.rescan();
    expect(reported).toHaveLength(1);
    putTalk('bad', serializeTalk(validTalk));
    expect((await listed(found)).toSorted()).toEqual(['bad', 'good']);
  });

  it('is not read through links, pipes or folders', async () => {
    mkdirSync(at('elsewhere'), { recursive: true });
    writeFileSync(at('elsewhere/talk.json'), serializeTalk(validTalk));
    writeFileSync(at('elsewhere/secret.jpg'), 'secret');
    symlinkSync(at('elsewhere'), at('state/talks/linked'));
    for (const name of ['link', 'pipe', 'folder']) mkdirSync(at(`state/talks/${name}`));
    symlinkSync(at('elsewhere/talk.json'), at('state/talks/link/talk.json'));
    execFileSync('mkfifo', [at('state/talks/pipe/talk.json')]);
    mkdirSync(at('state/talks/folder/talk.json'));
    symlinkSync(at('elsewhere/secret.jpg'), at('state/talks/good/picture-0001.jpg'));
    const found = history();
    for (const id of ['linked', 'link', 'pipe', 'folder', '..', '../talks/good', 'good/../good'])
      expect([id, await found.source.record(id)]).toMatchObject([id, { ok: false }]);
    for (const file of ['picture-0001.jpg', '../../../elsewhere/secret.jpg', 'talk.json/..'])
      expect([file, await found.store.readPicture('good', file)]).toMatchObject([
        file,
        { ok: false },
      ]);
    expect(await found.store.write('../../elsewhere', 'x')).toMatchObject({ ok: false });
    // Only the link is removed.
    await found.editor.remove([{ kind: 'talk', id: 'linked' }]);
    await found.editor.remove([{ kind: 'talk', id: '../../elsewhere' }]);
    expect(readFileSync(at('elsewhere/talk.json'), 'utf8')).toContain('parley-talk');
    expect(await listed(found)).toEqual(['good']);
  });

  it('keeps its readable pictures and events', async () => {
    putTalk(
      'odd',
      edited({
        pictures: [
          { at: 1, file: '../../secret.jpg', width: 2, height: 2 },
          { at: 1, file: 'picture-7.jpg', width: 2, height: 2 },
        ],
        events: [
          { at: 1, kind: 'danced' },
          { at: 2, kind: 'reconnecting', error: { code: 'of a later version', facts: {} } },
        ],
        ending: { error: { code: 'of a later version', facts: {} }, by: 'client', orderly: true },
        turns: [{ by: 'parley', at: 0, text: 'abc', heard: 900, later: 'unknown' }],
      }),
    );
    const found = history();
    const stored = await found.source.record('odd');
    expect(stored.ok && stored.value.record).toMatchObject({
      pictures: [{ file: 'picture-7.jpg' }],
      events: [{ kind: 'reconnecting', error: { code: 'talkEndUnknown' } }],
      ending: { error: { code: 'talkEndUnknown' }, orderly: true },
      turns: [{ text: 'abc', heard: 3 }],
    });
    expect(stored.ok && stored.value.record.pictures).toHaveLength(1);
    await found.close();
  });
});

describe('folders changed by hand', () => {
  it('are listed as they now are: renamed, copied or deleted', async () => {
    const found = history();
    await found.sync.rescan();
    renameSync(at('state/talks/good'), at('state/talks/Grandmother’s birthday'));
    expect(await found.library.read({ kind: 'talk', id: 'good' })).toMatchObject({
      error: { code: 'talkRecordGone' },
    });
    expect(await found.editor.rename({ kind: 'talk', id: 'good' }, 'x')).toMatchObject({
      error: { code: 'talkRecordGone' },
    });
    putTalk('copy', serializeTalk(validTalk));
    expect((await listed(found)).toSorted()).toEqual(['Grandmother’s birthday', 'copy']);
    rmSync(at('state/talks'), { recursive: true });
    expect([await listed(history()), reported]).toEqual([[], []]);
  });
});

const tapeDeps = { files: createFiles(), base64: bufferBase64 };

/** Opens a tape and plays every frame, within limits far above what any of these tapes needs. */
async function openHostile(path: string) {
  const before = process.memoryUsage().rss;
  const began = process.cpuUsage();
  const tape = await openTape(path, tapeDeps);
  if (tape.ok)
    for (const line of tape.value.lines) if ('frame' in line) tape.value.frame(line.frame);
  const error = tape.ok ? tape.value.damage : tape.error;
  const found = {
    lines: tape.ok ? tape.value.lines.length : 0,
    /** The tape's damage or error, as a sentence. */
    message: error === undefined ? 'whole' : englishErrorMessage(error),
    missing: tape.ok ? tape.value.missing() : [],
  };
  expect(process.cpuUsage(began).user).toBeLessThan(30_000_000);
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
  [header = '', first = ''] = readFileSync(inTape('tape.ndjson'), 'utf8').split('\n');
});

const inTape = (name: string): string => `${folder}/${name}`;
const write = (lines: readonly string[]): void =>
  writeFileSync(inTape('tape.ndjson'), `${lines.join('\n')}\n`);
const numbered = (count: number, line: (n: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, n) => line(n));

describe('a foreign tape', () => {
  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'never opens a link, pipe, socket or device as %s',
    async (name) => {
      cpSync(inTape(name), beside('secret'));
      const server = createServer();
      for (const link of [
        () => symlinkSync(beside('secret'), inTape(name)),
        () => execFileSync('mkfifo', [inTape(name)]),
        () => symlinkSync('/dev/zero', inTape(name)),
        () => new Promise<void>((listening) => void server.listen(inTape(name), listening)),
      ]) {
        unlinkSync(inTape(name));
        await Promise.resolve(link());
        const found = await openHostile(folder);
        if (name === 'tape.ndjson') expect(found.message).toContain('not an ordinary file.');
        else if (name === 'answer.wav')
          expect(found.message).toContain('is shorter than its recording says.');
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
      '300,000 lines',
      () => numbered(300_000, (n) => `{"at":${n},"dir":"in","frame":{"n":${n}}}`),
      { lines: 250_000, message: 'It is longer than a recording may be, from line 250002 on.' },
    ],
    [
      'JSON a million levels deep',
      () => [first, `{"at":5,"dir":"in","frame":${'['.repeat(1e6)}${']'.repeat(1e6)}}`],
      { lines: 1, message: 'Line 3 is damaged.' },
    ],
    [
      'a frame that claims too much sound',
      () => {
        truncateSync(inTape('answer.wav'), 10_000_000_000);
        const huge = '{"$sound":"answer.wav","from":0,"samples":50000000}';
        return [first, `{"at":5,"dir":"in","frame":{"audio":${huge}}}`];
      },
      { lines: 1 },
    ],
  ])('opens up to the limit if it has %s', { timeout: 300_000 }, async (_what, lines, found) => {
    write([header, ...lines()]);
    expect(await openHostile(folder)).toMatchObject(found);
  });
});

describe('a tape with foreign sound and pictures', () => {
  it.each(['tape.ndjson', 'answer.wav', 'frame-0001.jpg'])(
    'is opened within bounds if its %s is a sparse file of 10 GB',
    async (name) => {
      truncateSync(inTape(name), 10_000_000_000);
      const found = await openHostile(folder);
      expect(found.message).toMatch(
        name === 'tape.ndjson' ? /is longer than a recording may be/ : /^whole$/,
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
      const wav = readFileSync(inTape('answer.wav'));
      wav.writeUInt32LE(value, offset);
      writeFileSync(inTape('answer.wav'), wav);
      expect((await openHostile(folder)).message).toMatch(
        /^whole$|cannot be (?:played|read)|is shorter|damaged/,
      );
    },
  );

  it('is repaired without writing outside the new folder', async () => {
    const names = readdirSync(folder);
    truncateSync(inTape('answer.wav'), 5000);
    unlinkSync(inTape('frame-0001.jpg'));
    symlinkSync(beside('target'), inTape('frame-0001.jpg'));
    const repaired = await repairTape(folder, beside('new'), tapeDeps);
    expect(repaired).toMatchObject({ ok: true });
    expect(readdirSync(beside('.')).toSorted()).toEqual(['new', 'tape']);
    expect(readdirSync(folder)).toEqual(names);
    expect(statSync(inTape('answer.wav')).size).toBe(5000);
    expect(await openHostile(beside('new'))).toMatchObject({ missing: [] });
  });
});
