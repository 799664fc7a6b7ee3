// A process for the test to kill: it talks and prints each piece of speech.
import { setTimeout as wait } from 'node:timers/promises';
import { createJournalFile } from '../../../electron/platform/files/state-file.ts';
import { systemClock, systemWallClock } from '../../../electron/platform/system/system-clock.ts';
import { TalkJournal } from '../../../electron/talk/talk-journal.ts';
import { TalkPublisher } from '../../../electron/talk/talk-reporter.ts';

export async function run(folder: string): Promise<void> {
  const journal = new TalkJournal({
    file: createJournalFile(folder, 'talk-journal'),
    clock: systemClock,
    wallNow: systemWallClock,
    allowed: () => true,
  });
  const publisher = new TalkPublisher(() => undefined);
  publisher.publishBegan({ mode: 'audio', endpoint: 'Home' });
  publisher.publish({ event: 'talk', state: { phase: 'live' } });
  for (let count = 0; ; count += 1) {
    const added = `word${count} `;
    publisher.publish({ event: 'caption', patch: { turn: 1, added, heard: (count + 1) * 5 } });
    process.stdout.write(added);
    journal.onViewChange(publisher.view);
    await wait(40);
  }
}
