// A process for the test to kill while it stores something, repeatedly. It prints its progress.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { writeAtomically } from '../../../electron/platform/files/atomic-files.ts';
import { createTalkStore } from '../../../electron/platform/files/chat-and-talk-store.ts';
import {
  makeScratchFolder,
  rememberDraft,
} from '../../../electron/platform/files/scratch-folder.ts';
import { createJournalFile } from '../../../electron/platform/files/state-file.ts';
import { openHistoryIndex } from '../../../electron/platform/history/history-index-thread.ts';
import {
  stampOf,
  systemClock,
  systemWallClock,
} from '../../../electron/platform/system/system-clock.ts';
import { IndexSync } from '../../../electron/recordings/history/index-sync.ts';
import { TalkRecorder } from '../../../electron/recordings/history/talk-recorder.ts';
import { TalkSource } from '../../../electron/recordings/history/talk-source.ts';
import { TalkJournal } from '../../../electron/talk/talk-journal.ts';
import { TalkPublisher } from '../../../electron/talk/talk-reporter.ts';

const print = (text: string): void => void process.stdout.write(text);

/** Replaces one file of this length. */
async function replaceFile(path: string, length: string): Promise<void> {
  for (let count = 0; ; count += 1) {
    await writeAtomically(path, 'ab'.charAt(count % 2).repeat(Number(length)));
    if (count === 0) print('begun\n');
  }
}

async function useScratchFolder(draft: string): Promise<void> {
  const { path } = await makeScratchFolder('export');
  await writeFile(join(path, 'voice.wav'), 'a voice');
  await rememberDraft(draft);
  await writeFile(draft, 'half a recording');
  print(`${path}\n`);
  setInterval(() => undefined, 1000);
}

/** Heard words of one turn, without end. */
async function* growingCaption() {
  for (let count = 0; ; count += 1) {
    const added = `word${count} `;
    yield { turn: 1, added, heard: (count + 1) * 5 };
    await wait(40);
  }
}

async function keepJournal(folder: string): Promise<void> {
  const journal = new TalkJournal({
    file: createJournalFile(folder, 'talk-journal'),
    clock: systemClock,
    wallNow: systemWallClock,
    allowed: () => true,
  });
  const publisher = new TalkPublisher(() => undefined);
  publisher.publishBegan({ mode: 'audio', endpoint: 'Home' });
  publisher.publish({ event: 'talk', state: { phase: 'live' } });
  for await (const patch of growingCaption()) {
    publisher.publish({ event: 'caption', patch });
    print(patch.added);
    journal.onViewChange(publisher.view);
  }
}

async function recordTalk(folder: string): Promise<void> {
  const store = createTalkStore(folder);
  const reportError = ({ code }: { readonly code: string }): void => {
    process.stderr.write(`${code}\n`);
  };
  const sync = new IndexSync({
    sources: [new TalkSource(store)],
    index: openHistoryIndex(`${folder}/history`, undefined),
    clock: systemClock,
    onIndexChange: () => undefined,
    reportError,
  });
  await sync.rescan();
  const talkRecorder = new TalkRecorder({
    store,
    clock: systemClock,
    wallNow: systemWallClock,
    keepTalks: () => 'yes',
    decide: () => ({ ok: true, value: undefined }),
    addWords: () => Promise.resolve({ ok: true, value: undefined }),
    onChange: (id) => void sync.update({ kind: 'talk', id }),
    reportError,
  });
  talkRecorder.begin({ id: stampOf(Date.now()), incognito: false, mode: 'audio', name: 'Home' });
  talkRecorder.onEvent({ event: 'talk', state: { phase: 'live' } });
  for await (const patch of growingCaption()) {
    talkRecorder.onEvent({ event: 'caption', patch });
    print(patch.added);
  }
}

export async function run(what: string, path: string, length = ''): Promise<void> {
  if (what === 'file') await replaceFile(path, length);
  else if (what === 'scratch') await useScratchFolder(path);
  else if (what === 'journal') await keepJournal(path);
  else await recordTalk(path);
}
