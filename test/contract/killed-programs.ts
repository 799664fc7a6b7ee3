// Processes for a test to kill. They print their progress.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openParley } from '../../electron/app/parley.ts';
import { writeAtomically } from '../../electron/platform/files/atomic-files.ts';
import { createTalkStore } from '../../electron/platform/files/chat-and-talk-store.ts';
import { makeScratchFolder, rememberDraft } from '../../electron/platform/files/scratch-folder.ts';
import { createJournalFile } from '../../electron/platform/files/state-file.ts';
import { openHistoryIndex } from '../../electron/platform/history/history-index-thread.ts';
import { startModelProcess } from '../../electron/platform/model/model-process.ts';
import {
  stampOf,
  systemClock,
  systemWallClock,
} from '../../electron/platform/system/system-clock.ts';
import { IndexSync } from '../../electron/recordings/history/index-sync.ts';
import { TalkRecorder } from '../../electron/recordings/history/talk-recorder.ts';
import { TalkSource } from '../../electron/recordings/history/talk-source.ts';
import { TalkJournal } from '../../electron/talk/talk-journal.ts';
import { TalkPublisher } from '../../electron/talk/talk-reporter.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { unwrap } from '../fakes/unwrap.ts';

/** Receives a long chat answer and prints each piece. */
async function keepAnswering(): Promise<void> {
  const parley = openParley('browser', '0', new FakeLog());
  parley.servers.settings.change({ privacy: { keepChats: true } });
  const text = Array.from({ length: 200 }, (_each, index) => `word${index}`).join(' ');
  parley.machine.notices.listen(({ name, payload }) => {
    if (name === 'chatPatch' && payload.kind === 'text') process.stdout.write(payload.text);
  });
  const { chat } = await parley.chats.opener.controller();
  chat.send([{ type: 'text', text: `Reply with exactly: ${text}` }]);
}

/** Starts the program with the given model, and stays. */
async function keepModel(folder: string, program: string, model: string): Promise<void> {
  const started = unwrap(
    await startModelProcess(
      { name: 'model-server', program, model, folder, contextTokens: 4096 },
      { output: () => undefined, ended: () => undefined },
    ),
  );
  process.send?.(started.address);
  setInterval(() => undefined, 60_000);
}

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

const programs = {
  answer: keepAnswering,
  file: replaceFile,
  journal: keepJournal,
  model: keepModel,
  scratch: useScratchFolder,
  talk: recordTalk,
};

export async function run(what: keyof typeof programs, ...args: string[]): Promise<void> {
  const program: (...args: string[]) => Promise<void> = programs[what];
  await program(...args);
}
