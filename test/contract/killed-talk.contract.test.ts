import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createTalkStore } from '../../electron/platform/files/chat-and-talk-store.ts';
import { openHistoryIndex } from '../../electron/platform/history/history-index-thread.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { toIndexMatch } from '../../electron/recordings/history/history-index.ts';
import { IndexSync } from '../../electron/recordings/history/index-sync.ts';
import { TalkSource } from '../../electron/recordings/history/talk-source.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { isDefaultTier } from '../set-up/test-tiers.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** `KILLS=50` for a long run. */
const kills = Number(process.env['KILLS'] ?? (isDefaultTier ? 3 : 8));
/** Parley writes every 1.5 s; 2 s more allow for a busy machine. */
const maxLostMs = 3500;

async function kill(folder: string, afterMs: number): Promise<{ atMs: number; printed: string }> {
  const words = [here('sound/run-module.mjs'), here('files/keep-talk-text.ts'), folder];
  const parley = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  parley.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await once(parley.stdout, 'data');
  await wait(afterMs);
  parley.kill('SIGKILL');
  const atMs = Date.now();
  await once(parley, 'close');
  return { atMs, printed };
}

it(
  'kills in a row leave readable talks up to their last seconds, and an index that finds all of them',
  { timeout: 60_000 + kills * 10_000 },
  async () => {
    const folder = workFolder()('state');
    const store = createTalkStore(folder);
    const talks = new TalkSource(store);
    for (let round = 0; round < kills; round += 1) {
      const names = (): readonly string[] =>
        existsSync(`${folder}/talks`) ? readdirSync(`${folder}/talks`) : [];
      const before = new Set(names());
      // On the same folders, so each run finds the remains of the previous one.
      const { atMs, printed } = await kill(folder, 1600 + ((round * 577) % 2100));
      const id = names().find((name) => !before.has(name));
      if (id === undefined) continue;
      const stored = await talks.record(id);
      // Killed before its first file was renamed.
      if (!stored.ok) {
        expect([
          readdirSync(`${folder}/talks/${id}`).filter((name) => !name.endsWith('draft')),
        ]).toEqual([[]]);
        continue;
      }
      const { turns, savedAt, ending } = stored.value.record;
      const text = turns[0]?.text ?? '';
      expect(text).not.toBe('');
      expect(printed.replaceAll(/^\d+ |\n/gmu, '').startsWith(text.trimEnd())).toBe(true);
      expect(atMs - savedAt).toBeLessThan(maxLostMs);
      expect(ending).toBeUndefined();
    }
    const index = openHistoryIndex(`${folder}/history`, undefined);
    const sync = new IndexSync({
      sources: [talks],
      index,
      clock: systemClock,
      onIndexChange: () => undefined,
      reportError: ({ code }) => {
        throw new Error(code);
      },
    });
    await sync.rescan();
    const listed = await store.list();
    const match = toIndexMatch('word1');
    const found = await index.find({ match, filter: {}, skip: 0, count: 200 });
    await index.close();
    expect(found.ok && found.value.total).toBe(listed.ok && listed.value.length);
    expect(listed.ok && listed.value.length).toBeGreaterThan(kills / 2);
  },
);
