import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseStoredChat } from '../../electron/chat/stored-chat.ts';
import { createChatStore } from '../../electron/platform/files/chat-and-talk-store.ts';
import { createChatIndex } from '../../electron/recordings/history/chat-history-source.ts';
import type { HistoryLibrary } from '../../electron/recordings/history/history-library.ts';
import { fillHistory, openLibrary } from './history/history-folder.ts';
import { median } from '../../shared/statistics.ts';
import { printLine } from './bench-helpers.ts';

const many = 5000;
const few = 10;

/**
 * The limits: a search over 5,000 talks and chats takes at most 100 ms, and startup with them takes at most 1.1 times as
 * long as with ten. `--only search` skips the starts.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-history-'));
  try {
    const parts = process.argv.includes('--only') ? [many] : [few, many];
    for (const count of parts) fillHistory(join(folder, String(count)), count);
    printLine(`${many} conversations, half of them talks, 300 words each`);
    await measureSearch(join(folder, String(many)));
    if (parts.length > 1) await measureStarts(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureSearch(folder: string): Promise<void> {
  const entry = resolve('out/main/history-index.js');
  if (!existsSync(entry)) throw new Error(`${entry} is missing: npm test builds it.`);
  const open = () => openLibrary(folder, entry);
  const part = { skip: 0, count: 50, filter: {} };
  const first = open();
  let made = 0;
  const busy = await maxBlockMs(async () => {
    made = await timed(() => first.sync.rescan());
  });
  await first.index.close();
  printLine(`  built from the folders in ${made.toFixed(0)} ms`);
  printLine(`  longest block of the event loop ${busy.toFixed(0)} ms`);
  const { index, sync, library } = open();
  printLine(`  opened and rescanned: ${(await timed(() => sync.rescan())).toFixed(0)} ms`);
  await measureChats(folder, library);
  printLine(`  a page of the list: ${(await timed(() => library.list(part))).toFixed(1)} ms`);
  for (const query of ['w12', 'w120 w77', 'w', '黄河', '源头在', 'no-such-word']) {
    const times: number[] = [];
    const work: number[] = [];
    let total = 0;
    for (let round = 0; round < 7; round += 1) {
      const before = performance.eventLoopUtilization();
      times.push(
        await timed(async () => {
          const found = await library.search(query, part);
          total = found.ok ? found.value.total : -1;
        }),
      );
      work.push(performance.eventLoopUtilization(before).active);
    }
    const [own, middle, best, worst] = [
      median(work),
      median(times),
      Math.min(...times),
      Math.max(...times),
    ].map((ms) => ms.toFixed(1));
    printLine(
      `  “${query}” matches ${total}: median ${middle} ms (${best} to ${worst}); main thread ${own}`,
    );
  }
  const bytes = await index.bytes();
  printLine(`  the index has ${((bytes.ok ? bytes.value : 0) / 1e6).toFixed(0)} MB`);
  await index.close();
}

/** Time to list chats from the index, compared with reading every chat. */
async function measureChats(folder: string, library: HistoryLibrary): Promise<void> {
  const kept = createChatIndex(library);
  const byIndex: number[] = [];
  const byFolders: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    byIndex.push(await timed(() => kept.list()));
    byFolders.push(
      await timed(async () => {
        const store = createChatStore(folder);
        const listed = await store.list();
        for (const { id } of listed.ok ? listed.value : []) {
          const stored = await store.read(id);
          if (stored.ok) parseStoredChat(id, stored.value.text);
        }
      }),
    );
  }
  const [one, other] = [median(byIndex), median(byFolders)];
  printLine(
    `  list of ${many / 2} chats: ${one.toFixed(0)} ms; reading each: ${other.toFixed(0)} ms`,
  );
}

async function measureStarts(folder: string): Promise<void> {
  const times: Record<number, number[]> = { [few]: [], [many]: [] };
  const used: Record<number, number[]> = { [few]: [], [many]: [] };
  for (let round = 0; round < 9; round += 1) {
    for (const count of [few, many]) {
      const { ms, cpuMs } = await start(join(folder, String(count)));
      // The first round fills the caches.
      if (round > 0) {
        times[count]?.push(ms);
        used[count]?.push(cpuMs);
      }
    }
  }
  const [one, other] = [median(times[few] ?? []), median(times[many] ?? [])];
  const [oneUsed, otherUsed] = [median(used[few] ?? []), median(used[many] ?? [])];
  printLine(
    `Start of the browser host, alternating: ${one.toFixed(0)} ms with ${few}, ${other.toFixed(0)} ms with ${many} (${(other / one).toFixed(2)} times)`,
  );
  printLine(
    `  CPU time two seconds later: ${oneUsed.toFixed(0)} ms and ${otherUsed.toFixed(0)} ms (${(otherUsed / oneUsed).toFixed(2)} times)`,
  );
}

async function start(folder: string): Promise<{ ms: number; cpuMs: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [resolve('out/main/browser.js'), '--port', '0'], {
    env: { ...process.env, PARLEY_STATE_DIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const ms = performance.now() - began;
  await new Promise((done) => setTimeout(done, 2000));
  const [user, system] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ').slice(13, 15);
  child.kill('SIGKILL');
  await once(child, 'close');
  return { ms, cpuMs: (Number(user) + Number(system)) * 10 };
}

/** The longest uninterrupted work of this thread, without waits for a processor. */
async function maxBlockMs(work: () => Promise<unknown>): Promise<number> {
  const workedMs = (): number =>
    Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  let worst = 0;
  let before = workedMs();
  const timer = setInterval(() => {
    const now = workedMs();
    worst = Math.max(worst, now - before);
    before = now;
  }, 1);
  await work();
  clearInterval(timer);
  return worst;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
