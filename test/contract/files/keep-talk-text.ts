// A process for the test to kill: it stores the text of a talk and prints each word.
import { setTimeout as wait } from 'node:timers/promises';
import { createTalkStore } from '../../../electron/platform/files/chat-and-talk-store.ts';
import { openHistoryIndex } from '../../../electron/platform/history/history-index-thread.ts';
import {
  stampOf,
  systemClock,
  systemWallClock,
} from '../../../electron/platform/system/system-clock.ts';
import { IndexSync } from '../../../electron/recordings/history/index-sync.ts';
import { TalkRecorder } from '../../../electron/recordings/history/talk-recorder.ts';
import { TalkSource } from '../../../electron/recordings/history/talk-source.ts';

export async function run(folder: string): Promise<void> {
  const store = createTalkStore(folder);
  const index = openHistoryIndex(`${folder}/history`, undefined);
  const reportError = ({ code }: { readonly code: string }): void => {
    process.stderr.write(`${code}\n`);
  };
  const sync = new IndexSync({
    sources: [new TalkSource(store)],
    index,
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
  for (let count = 0; ; count += 1) {
    const added = `word${count} `;
    talkRecorder.onEvent({ event: 'caption', patch: { turn: 1, added, heard: (count + 1) * 5 } });
    process.stdout.write(`${Date.now()} ${added}\n`);
    await wait(40);
  }
}
