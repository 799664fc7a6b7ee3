import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseStoredChat } from '../../electron/chat/stored-chat.ts';
import { removeAbandonedDrafts } from '../../electron/platform/files/atomic-files.ts';
import {
  createChatStore,
  createTalkStore,
} from '../../electron/platform/files/chat-and-talk-store.ts';
import { sweepScratch } from '../../electron/platform/files/scratch-folder.ts';
import { createJournalFile } from '../../electron/platform/files/state-file.ts';
import { openHistoryIndex } from '../../electron/platform/history/history-index-thread.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { toIndexMatch } from '../../electron/recordings/history/history-index.ts';
import { TalkSource } from '../../electron/recordings/history/talk-source.ts';
import { TalkJournal } from '../../electron/talk/talk-journal.ts';
import { eventually } from '../fakes/promises.ts';
import { parley } from '../fakes/fake-terminal.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { openHistoryOf } from '../fakes/history-library.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { isDefaultTier } from '../set-up/test-tiers.ts';

// The machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Starts a process for the test to kill. */
function start(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const words = [here('sound/run-module.mjs'), here('killed-programs.ts'), ...args];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const closed = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(kill);
  return {
    printed: () => printed,
    firstLine: async (): Promise<string> => {
      while (!printed.includes('\n')) await once(child.stdout, 'data');
      return printed.trim();
    },
    firstOutput: () => once(child.stdout, 'data'),
    kill,
  };
}

const runs = isDefaultTier ? [0, 3] : [0, 1, 2, 3, 4];

async function storedAnswer(folder: string) {
  const store = createChatStore(folder);
  const [{ id } = { id: '' }] = unwrap(await store.list());
  const stored = await store.read(id);
  const turns = stored.ok ? (parseStoredChat(id, stored.value.text)?.turns ?? []) : [];
  const answer = turns.find(({ role }) => role === 'assistant');
  return answer?.role === 'assistant' ? answer : undefined;
}

describe('a Parley killed during a chat answer', () => {
  it('leaves the beginning of the answer on disk in every run, marked as cut by a crash', async () => {
    const killDuringAnswer = async (folder: string, afterMs: number) => {
      const child = start(['answer'], { PARLEY_STATE_DIR: folder });
      await child.firstOutput();
      await eventually(async () => {
        if (((await storedAnswer(folder))?.text ?? '') === '') throw new Error('nothing yet');
      });
      await wait(afterMs);
      await child.kill();
      const answer = await storedAnswer(folder);
      return {
        state: answer?.state,
        isPrefix:
          answer !== undefined && answer.text !== '' && child.printed().startsWith(answer.text),
      };
    };
    const at = workFolder();
    const found = await Promise.all(
      runs.map((index) => killDuringAnswer(at(`state-${index}`), index * 170)),
    );
    const cutByCrash = { kind: 'failed', error: { code: 'answerCutByCrash', facts: {} } };
    expect(found).toEqual(runs.map(() => ({ state: cutByCrash, isPrefix: true })));
  });
});

/** `KILLS=50` for a long run. */
const kills = Number(process.env['KILLS'] ?? (isDefaultTier ? 3 : 8));
/** Parley writes every 1.5 s; 2 s more allow for a busy machine. */
const maxLostMs = 3500;

describe('a Parley killed during a talk', () => {
  it('leaves the beginning of the talk in its journal in every run', async () => {
    const at = workFolder();
    const readKilledTalk = async (folder: string, afterMs: number): Promise<boolean> => {
      mkdirSync(folder);
      const child = start(['journal', folder]);
      await child.firstOutput();
      await eventually(() => {
        const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
        if (names.length === 0) throw new Error('nothing yet');
      });
      await wait(afterMs);
      await child.kill();
      const journal = new TalkJournal({
        file: createJournalFile(folder, 'talk-journal'),
        clock: systemClock,
        wallNow: () => 0,
        allowed: () => true,
      });
      const text = (await journal.readCrashedTalk())?.captions[0]?.text ?? '';
      return text !== '' && child.printed().startsWith(text);
    };
    const results = await Promise.all(
      runs.map((index) => readKilledTalk(at(`state-${index}`), index * 430)),
    );
    expect(results).toEqual(runs.map(() => true));
  });

  it(
    'leaves a readable record up to its last seconds whenever it has written anything, and an index that finds all of them',
    { timeout: 60_000 + kills * 10_000 },
    async () => {
      const folder = workFolder()('state');
      const store = createTalkStore(folder);
      const talks = new TalkSource(store);
      for (let round = 0; round < kills; round += 1) {
        const names = (): readonly string[] =>
          existsSync(`${folder}/talks`)
            ? readdirSync(`${folder}/talks`).filter((name) => !name.endsWith('.draft'))
            : [];
        const before = new Set(names());
        // Every run uses the same folders, so it finds the remains of the previous one.
        const child = start(['talk', folder]);
        await child.firstOutput();
        await wait(1600 + ((round * 577) % 2100));
        const killedAt = Date.now();
        await child.kill();
        const id = names().find((name) => !before.has(name));
        if (id === undefined) continue;
        const stored = await talks.record(id);
        // Killed before its first file was renamed.
        if (!stored.ok) {
          expect(readdirSync(`${folder}/talks/${id}`)).toEqual([]);
          continue;
        }
        const { turns, savedAt, ending } = stored.value.record;
        const text = turns[0]?.text ?? '';
        expect(text).not.toBe('');
        expect(child.printed().startsWith(text.trimEnd())).toBe(true);
        expect(killedAt - savedAt).toBeLessThan(maxLostMs);
        expect(ending).toBeUndefined();
      }
      const index = openHistoryIndex(`${folder}/history`, undefined);
      await openHistoryOf([talks], index).sync.rescan();
      const listed = unwrap(await store.list());
      const match = toIndexMatch('word1');
      const found = unwrap(await index.find({ match, filter: {}, skip: 0, count: 200 }));
      await index.close();
      expect(found.total).toBe(listed.length);
      expect(listed.length).toBeGreaterThan(kills / 2);
    },
  );
});

it('a file whose process is killed while replacing it is complete, and its draft can be removed @nightly', async () => {
  const at = workFolder();
  const killed = async (name: string, afterMs: number): Promise<string> => {
    const writer = start(['file', at(name), '4000000']);
    await writer.firstOutput();
    await wait(afterMs);
    await writer.kill();
    const text = readFileSync(at(name), 'utf8');
    return `${text.length} ${[...new Set(text)].join('')}`;
  };
  const names = ['one', 'three', 'two'];
  const found = await Promise.all(names.map((name, index) => killed(name, 7 * index)));
  expect(found.filter((text) => !/^4000000 [ab]$/.test(text))).toEqual([]);
  // The process is writing a draft almost all the time.
  expect(readdirSync(at('.')).length).toBeGreaterThan(names.length);
  await removeAbandonedDrafts(at('.'));
  expect(readdirSync(at('.'))).toEqual(names);
});

describe('the scratch folder of a killed Parley', () => {
  const startWork = async (at: (name: string) => string) => {
    vi.stubEnv('PARLEY_STATE_DIR', at('state'));
    const draft = at('.talk.wav.1-1.draft');
    const { firstLine, kill } = start(['scratch', draft]);
    return { draft, kill, folder: await firstLine() };
  };

  it('is removed by a sweep, but not while the Parley that made it still runs', async () => {
    const at = workFolder();
    const { draft, folder, kill } = await startWork(at);
    expect(dirname(folder)).toBe(at('state/scratch'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await sweepScratch();
    expect([existsSync(folder), existsSync(draft)]).toEqual([true, true]);
    await kill();
    await sweepScratch();
    expect([existsSync(folder), existsSync(draft)]).toEqual([false, false]);
    expect(readdirSync(at('state/scratch'))).toEqual([]);
  });

  it('is removed when a command starts @nightly', async () => {
    const { folder, kill } = await startWork(workFolder());
    await kill();
    expect((await parley('history')).code).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });
});

const browserHost = resolve('out/main/browser.js');
/** Sends the process a signal when it prints that it is open. */
const signalWhenOpen = `const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (...args) => {
  if (String(args[0]).includes('open in the browser')) process.kill(process.pid, 'SIGTERM');
  return write(...args);
};`;
/** Keeps the process alive, as a resource does that was not closed. */
const openTimer = 'setInterval(() => undefined, 1000);';

/** Runs a browser host after some code. */
async function runBrowserHost(code: string) {
  if (!existsSync(browserHost)) throw new Error(`${browserHost} is missing: npm test builds it.`);
  const state = workFolder()('state');
  const loaded = `data:text/javascript,${encodeURIComponent(code)}`;
  const host = spawn(process.execPath, ['--import', loaded, browserHost, '--port', '0'], {
    stdio: 'ignore',
    env: { ...process.env, PARLEY_STATE_DIR: state },
  });
  await once(host, 'close');
  const logs = join(state, 'logs');
  const files = existsSync(logs) ? readdirSync(logs) : [];
  const log = files.map((name) => readFileSync(join(logs, name), 'utf8')).join('');
  return { ended: [host.exitCode, host.signalCode], log };
}

describe('a browser host', () => {
  it('ends normally at a signal that arrives as it opens', async () => {
    const { ended, log } = await runBrowserHost(signalWhenOpen);
    expect(ended).toEqual([0, null]);
    expect(log).not.toContain('kept the process alive');
  });

  it('ends despite open resources, and names them in the log @nightly', async () => {
    const { ended, log } = await runBrowserHost(signalWhenOpen + openTimer);
    expect(ended).toEqual([0, null]);
    expect(log).toMatch(/these resources kept the process alive after shutdown: .*Timeout/u);
  });
});
