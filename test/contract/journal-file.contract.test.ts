import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createJournalFile } from '../../electron/platform/files/state-file.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { TalkJournal } from '../../electron/talk/talk-journal.ts';
import { eventually } from '../fakes/eventually.ts';
import { FakeJournalFile } from '../fakes/fake-journal-file.ts';
import { workFolder } from '../fakes/work-folder.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe.each([
  ['a real journal', () => createJournalFile(workFolder()('state'), 'talk-journal')],
  ['a fake journal', () => new FakeJournalFile()],
])('%s', (_name, open) => {
  it('does not list a journal of a running process as stale, and removes it', async () => {
    const file = open();
    expect(await file.readStale()).toEqual([]);
    expect(await file.write('one')).toEqual({ ok: true, value: undefined });
    expect(await file.readStale()).toEqual([]);
    await file.removeStale();
    await file.remove();
    await file.remove();
    expect(await file.readStale()).toEqual([]);
  });
});

describe('abandoned journals', () => {
  it('include one from before a reboot, although its process id is in use again', async () => {
    const at = workFolder();
    mkdirSync(at('.'), { recursive: true });
    const path = at(`talk-journal-${process.ppid}.json`);
    writeFileSync(path, 'text of the talk');
    const file = createJournalFile(at('.'), 'talk-journal');
    expect(await file.readStale()).toEqual([]);
    const started = Date.now() / 1000 - uptime();
    utimesSync(path, started - 60, started - 60);
    expect(await file.readStale()).toEqual(['text of the talk']);
  });

  it('are the only files that are found and removed', async () => {
    const at = workFolder();
    mkdirSync(at('.'), { recursive: true });
    const parents = `talk-journal-${process.ppid}.json`;
    const own = `talk-journal-${process.pid}.json`;
    const names = [
      'talk-journal-99999999.json',
      own,
      parents,
      'talk-journal-x.json',
      'settings.json',
    ];
    for (const name of names) writeFileSync(at(name), name);
    const file = createJournalFile(at('.'), 'talk-journal');
    // The file with this process's id is stale, because this process did not write it.
    expect((await file.readStale()).toSorted()).toEqual(
      ['talk-journal-99999999.json', own].toSorted(),
    );
    await file.write('written by this process');
    expect(await file.readStale()).toEqual(['talk-journal-99999999.json']);
    const before = new Date(Date.now() - 86_400_000);
    utimesSync(at(parents), before, before);
    expect(await file.readStale()).toHaveLength(2);
    await file.removeStale();
    expect(readdirSync(at('.')).toSorted()).toEqual(
      [own, 'talk-journal-x.json', 'settings.json'].toSorted(),
    );
  });

  it('hold a talk up to the kill, in five of five runs', async () => {
    const at = workFolder();
    const readKilledTalk = async (folder: string, afterMs: number): Promise<boolean> => {
      const words = [here('sound/run-module.mjs'), here('files/keep-talking.ts'), folder];
      const parley = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
      let printed = '';
      parley.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
      await eventually(() => {
        const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
        if (names.length === 0) throw new Error('nothing yet');
      });
      await wait(afterMs);
      parley.kill('SIGKILL');
      await once(parley, 'close');
      const journal = new TalkJournal({
        file: createJournalFile(folder, 'talk-journal'),
        clock: systemClock,
        wallNow: () => 0,
        allowed: () => true,
      });
      const text = (await journal.readCrashedTalk())?.captions[0]?.text ?? '';
      return text !== '' && printed.startsWith(text);
    };
    const results = await Promise.all(
      [0, 1, 2, 3, 4].map((index) => {
        mkdirSync(at(`state-${index}`));
        return readKilledTalk(at(`state-${index}`), index * 430);
      }),
    );
    expect(results).toEqual([true, true, true, true, true]);
  });
});
