import { beforeEach, describe, expect, it } from 'vitest';
import type { Bridge } from '../../../../renderer/app/bridge/ordered-bridge.ts';
import { HistoryPages } from '../../../../renderer/history/history-actions.ts';
import {
  type HistoryUiState,
  initialHistoryUiState,
} from '../../../../renderer/history/history-ui-state.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { RequestInput } from '../../../../shared/ipc/contract.ts';

interface PendingRequest {
  readonly input: RequestInput<'searchHistory'>;
  readonly resolve: (ids: readonly string[], total: number) => Promise<void>;
  readonly fail: () => Promise<void>;
}

let state: HistoryUiState;
let asked: PendingRequest[];
let pages: HistoryPages;

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const makeEntry = (id: string) =>
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
    new Promise((reply) => {
      asked.push({
        input,
        resolve: async (list, total) => {
          reply({ ok: true, value: { entries: list.map(makeEntry), total, complete: true } });
          await settle();
        },
        fail: async () => {
          reply({ ok: false, error: appError('historyIndexLost') });
          await settle();
        },
      });
    })) as Bridge['request'];
  pages = new HistoryPages({
    request,
    history: () => state,
    onList: (listed) => {
      state = { ...state, listed };
    },
    onError: (problem) => {
      state = { ...state, problem };
    },
  });
});

describe('the history pages', () => {
  it('are requested once each, as the user scrolls near the end', async () => {
    void pages.refresh();
    await asked[0]?.resolve(ids(0, 200), 450);
    expect(shownIds()).toHaveLength(200);
    void pages.loadAhead(120);
    expect(asked).toHaveLength(1);
    void pages.loadAhead(150);
    void pages.loadAhead(160);
    expect(asked.map(({ input }) => input.skip)).toEqual([0, 200]);
    await asked[1]?.resolve(ids(200, 200), 450);
    expect(shownIds()).toEqual(ids(0, 400));
  });

  it('show no entry twice if it moved down between two pages', async () => {
    void pages.refresh();
    await asked[0]?.resolve(ids(0, 200), 301);
    void pages.loadAhead(199);
    await asked[1]?.resolve(ids(199, 101), 301);
    expect(shownIds()).toEqual(ids(0, 300));
  });

  it('are refreshed as far as the user scrolled', async () => {
    void pages.refresh();
    await asked[0]?.resolve(ids(0, 200), 450);
    void pages.loadAhead(190);
    await asked[1]?.resolve(ids(200, 200), 450);
    void pages.refresh();
    void pages.refresh();
    void pages.refresh();
    await asked[2]?.resolve(ids(1000, 200), 451);
    await asked[3]?.resolve(ids(1200, 200), 451);
    expect(shownIds()[0]).toBe('1000');
    await asked[4]?.resolve(ids(2000, 200), 452);
    await asked[5]?.resolve(ids(2200, 200), 452);
    expect(shownIds()[0]).toBe('2000');
    expect(asked).toHaveLength(6);
  });

  it('show the result of the newest query even if an older reply comes last', async () => {
    state = { ...state, query: 'light' };
    void pages.begin();
    state = { ...state, query: 'lighthouse' };
    void pages.begin();
    await asked[1]?.resolve(['new'], 1);
    await asked[0]?.resolve(['old'], 1);
    expect(shownIds()).toEqual(['new']);
    expect(state.listed?.query).toBe('lighthouse');
  });

  it('can be read again after a failure', async () => {
    void pages.refresh();
    await asked[0]?.fail();
    expect(state.problem?.code).toBe('historyIndexLost');
    void pages.refresh();
    await asked[1]?.resolve(['one'], 1);
    expect(shownIds()).toEqual(['one']);
  });
});
