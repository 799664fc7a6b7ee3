import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTalkStore } from '../../electron/platform/files/chat-and-talk-store.ts';
import { openHistoryIndex } from '../../electron/platform/history/history-index-thread.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import {
  HistoryEditor,
  HistoryLibrary,
} from '../../electron/recordings/history/history-library.ts';
import { IndexSync } from '../../electron/recordings/history/index-sync.ts';
import { serializeTalk, TalkSource } from '../../electron/recordings/history/talk-source.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import type { TalkRecord } from '../../shared/recordings/talk-record.ts';
import { workFolder } from '../fakes/work-folder.ts';

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
  const sync = new IndexSync({
    sources: [source],
    index,
    clock: systemClock,
    onIndexChange: () => undefined,
    reportError: (error) => reported.push(englishErrorMessage(error)),
  });
  const library = new HistoryLibrary({
    sources: [source],
    index,
    sync,
    tapes: () => Promise.resolve(new Set()),
    runningId: () => undefined,
    wallNow: () => Date.now(),
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

  it('is reported once, and read again after its repair', async () => {
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
  it('are followed: renamed, deleted and copied ones', async () => {
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
