import { beforeEach, describe, expect, it } from 'vitest';
import type { Bridge } from '../../../../renderer/app/bridge/ordered-bridge.ts';
import { HistoryPages } from '../../../../renderer/history/history-actions.ts';
import {
  type HistoryUiState,
  initialHistoryUiState,
} from '../../../../renderer/history/history-ui-state.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { RequestInput } from '../../../../shared/ipc/contract.ts';

interface Asked {
  readonly input: RequestInput<'searchHistory'>;
  readonly answer: (ids: readonly string[], total: number) => Promise<void>;
  readonly fail: () => Promise<void>;
}

let state: HistoryUiState;
let asked: Asked[];
let pages: HistoryPages;

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const entryOf = (id: string) =>
  ({
    kind: 'chat',
    id,
    title: '',
    firstWords: '',
    at: 0,
    pinned: false,
    pictures: 0,
  }) as const;
const ids = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${from + index}`);
const shownIds = () => state.listed?.entries.map(({ item }) => item.id) ?? [];

beforeEach(() => {
  state = initialHistoryUiState;
  asked = [];
  const request = ((_name: string, input: RequestInput<'searchHistory'>) =>
    new Promise((resolve) => {
      asked.push({
        input,
        answer: async (list, total) => {
          resolve({ ok: true, value: { entries: list.map(entryOf), total, complete: true } });
          await settle();
        },
        fail: async () => {
          resolve({ ok: false, error: appError('historyIndexLost') });
          await settle();
        },
      });
    })) as Bridge['request'];
  pages = new HistoryPages({
    request,
    history: () => state,
    listed: (listed) => {
      state = { ...state, listed };
    },
    failed: (problem) => {
      state = { ...state, problem };
    },
  });
});

describe('the pages of the history', () => {
  it('are asked for as one comes near their end, each once', async () => {
    void pages.refresh();
    await asked[0]?.answer(ids(0, 200), 450);
    expect(shownIds()).toHaveLength(200);
    void pages.seen(120);
    expect(asked).toHaveLength(1);
    void pages.seen(150);
    void pages.seen(160);
    expect(asked.map(({ input }) => input.skip)).toEqual([0, 200]);
    await asked[1]?.answer(ids(200, 200), 450);
    expect(shownIds()).toEqual(ids(0, 400));
  });

  it('show none twice that moved down while they were read', async () => {
    void pages.refresh();
    await asked[0]?.answer(ids(0, 200), 301);
    void pages.seen(199);
    await asked[1]?.answer(ids(199, 101), 301);
    expect(shownIds()).toEqual(ids(0, 300));
  });

  it('are read anew as far as one has come, and once more for what changed meanwhile', async () => {
    void pages.refresh();
    await asked[0]?.answer(ids(0, 200), 450);
    void pages.seen(190);
    await asked[1]?.answer(ids(200, 200), 450);
    void pages.refresh();
    void pages.refresh();
    void pages.refresh();
    await asked[2]?.answer(ids(1000, 200), 451);
    await asked[3]?.answer(ids(1200, 200), 451);
    expect(shownIds()[0]).toBe('1000');
    await asked[4]?.answer(ids(2000, 200), 452);
    await asked[5]?.answer(ids(2200, 200), 452);
    expect(shownIds()[0]).toBe('2000');
    expect(asked).toHaveLength(6);
  });

  it('show the answer to the last words, whichever comes last', async () => {
    state = { ...state, query: 'light' };
    void pages.begin();
    state = { ...state, query: 'lighthouse' };
    void pages.begin();
    await asked[1]?.answer(['new'], 1);
    await asked[0]?.answer(['old'], 1);
    expect(shownIds()).toEqual(['new']);
    expect(state.listed?.query).toBe('lighthouse');
  });

  it('say what went wrong, and can be read again after that', async () => {
    void pages.refresh();
    await asked[0]?.fail();
    expect(state.problem?.code).toBe('historyIndexLost');
    void pages.refresh();
    await asked[1]?.answer(['one'], 1);
    expect(shownIds()).toEqual(['one']);
  });
});
