import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NoticeBoard } from '../../../electron/app/ipc/request-dispatcher.ts';
import { patchTurns } from '../../../renderer/talk/talk-ui-state.ts';
import { inRoot } from '../../../scripts/lib/root.mjs';
import type { CaptionedTurn } from '../../../shared/talk/talk-view.ts';
import { cpuTime } from '../../fakes/cpu-time.ts';
import { fillHistory, openLibrary } from '../history/history-folder.ts';
import type { GrowthRow } from './growth-row.ts';

/** Measures growth with stored history, captions and open windows. */
export async function measureStored(): Promise<readonly GrowthRow[]> {
  return [...(await measureHistory()), await measureCaptions(), await measureWindows()];
}

async function measureHistory(): Promise<readonly GrowthRow[]> {
  const sizes = [50, 500, 2000];
  const part = { skip: 0, count: 50, filter: {} };
  const [listed, found, looked]: [number[], number[], number[]] = [[], [], []];
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-growth-'));
    fillHistory(folder, size);
    const { index, sync, library } = openLibrary(folder, inRoot('out', 'main', 'history-index.js'));
    await sync.rescan();
    looked.push(await cpuTime(() => sync.rescan()));
    listed.push(await cpuTime(() => library.list(part), 9));
    found.push(await cpuTime(() => library.search('w12', part), 9));
    await index.close();
    rmSync(folder, { recursive: true });
  }
  const row = (
    operation: string,
    costs: readonly number[],
    expected: GrowthRow['expected'],
    reason: string,
  ): GrowthRow => ({
    operation,
    sizeUnit: 'stored talks and chats',
    sizes,
    costs,
    costUnit: 'ms of CPU time',
    expected,
    reason,
  });
  return [
    row('a page of the list', listed, 'linear', 'one page reads fifty items, but sorts them all'),
    row('a search', found, 'linear', 'a larger history has more matches'),
    row('a rescan of the folders', looked, 'linear', 'checks each folder for changes'),
  ];
}

async function measureCaptions(): Promise<GrowthRow> {
  const sizes = [10, 200, 2000];
  const times = 5000;
  const costs: number[] = [];
  for (const size of sizes) {
    let turns: readonly CaptionedTurn[] = Array.from({ length: size }, (_, turn) => ({
      turn,
      text: 'word '.repeat(40),
      heard: 200,
      cutFrom: undefined,
      settled: true,
    }));
    const used = await cpuTime(() => {
      for (let heard = 0; heard < times; heard += 1)
        turns = patchTurns(turns, [{ turn: size - 1, heard }]);
    });
    costs.push((used * 1000) / times);
  }
  return {
    operation: 'one caption update in the page’s store',
    sizeUnit: 'turns of captions',
    sizes,
    costs,
    costUnit: 'µs of CPU time',
    expected: 'linear',
    reason: 'copies the list of turns, 2,200 at most, but not the turns',
  };
}

async function measureWindows(): Promise<GrowthRow> {
  const sizes = [1, 2, 8];
  const times = 20_000;
  const costs: number[] = [];
  for (const size of sizes) {
    const notices = new NoticeBoard();
    // The minimal work of a transport: serialise the notice for each page.
    for (let page = 0; page < size; page += 1)
      notices.listen((notice, revision) => JSON.stringify({ notice, revision }));
    const used = await cpuTime(() => {
      for (let at = 0; at < times; at += 1)
        notices.post('level', { who: 'you', rmsDb: -30, peakDb: -20 + at / times });
    });
    costs.push((used * 1000) / times);
  }
  return {
    operation: 'posting and serialising one notice',
    sizeUnit: 'windows',
    sizes,
    costs,
    costUnit: 'µs of CPU time',
    expected: 'linear',
    reason: 'each page is notified separately, and a hidden page gets few notices',
  };
}
