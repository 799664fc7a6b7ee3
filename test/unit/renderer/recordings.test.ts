import { beforeEach, describe, expect, it } from 'vitest';
import type { Bridge } from '../../../renderer/app/bridge/ordered-bridge.ts';
import { HistoryPages } from '../../../renderer/history/history-actions.ts';
import {
  type HistoryUiState,
  initialHistoryUiState,
} from '../../../renderer/history/history-ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { RequestInput, RequestName } from '../../../shared/ipc/contract.ts';
import { heardParts, recordLines, recordText } from '../../../renderer/history/history-text.ts';
import { createI18n } from '../../../renderer/i18n/page-language.ts';
import { recordTitle } from '../../../shared/recordings/history-item.ts';
import { sampleComparison, sampleRecord, sampleTapes } from '../../gallery/sample-history.ts';
import { deferred, flushPromises } from '../../fakes/promises.ts';
import { openApp } from './open-app.ts';
import { createStore } from '../../../renderer/app/store.ts';
import { initialUiState } from '../../../renderer/app/ui-state.ts';
import { createReportActions } from '../../../renderer/report/report-store.ts';
import { fakeBridge } from '../../fakes/fake-bridge.ts';

interface PendingRequest {
  readonly input: RequestInput<'searchHistory'>;
  readonly resolve: (ids: readonly string[], total: number) => Promise<void>;
  readonly fail: () => Promise<void>;
}

let state: HistoryUiState;
let hidden: ReadonlySet<string> | undefined;
let asked: PendingRequest[];
let pages: HistoryPages;
/** The test sets what happens after each new list, in place of the screen's effect. */
let onShown: () => void;

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
  hidden = undefined;
  onShown = () => undefined;
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
    hidden: () => hidden,
    onList: (listed) => {
      state = { ...state, listed };
      onShown();
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

  it('show an entry only once if it moved down between two pages', async () => {
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

  it('are not requested forever if entries move down while the pages are being read', async () => {
    void pages.refresh();
    await asked[0]?.resolve(ids(0, 200), 200);
    void pages.loadAhead(199);
    void pages.refresh();
    await asked[1]?.resolve(ids(0, 200), 201);
    // Meanwhile a new talk came first, so the next page has only an entry that is known.
    await asked[2]?.resolve(['199'], 201);
    expect(asked).toHaveLength(3);
    const { listed } = state;
    void pages.loadAhead(199);
    await asked[3]?.resolve(['199'], 201);
    // The list stays the same object, because a new one requests more as it is drawn.
    expect(state.listed).toBe(listed);
  });

  it('are complete after all of them have been read, even if a refresh was running', async () => {
    void pages.refresh();
    await asked[0]?.resolve(ids(0, 200), 300);
    void pages.refresh();
    const all = pages.readAll().then(shownIds);
    await asked[1]?.resolve(ids(0, 200), 300);
    await asked[2]?.resolve(ids(0, 200), 300);
    await asked[3]?.resolve(ids(200, 100), 300);
    expect(await all).toHaveLength(300);
  });

  it('are all there for "Select all", and stay, although the screen asks only for the rows in sight', async () => {
    state = { ...state, selection: new Set() };
    onShown = () => void pages.loadAhead(60);
    void pages.refresh();
    const all = pages.readAll().then(shownIds);
    await asked[0]?.resolve(ids(0, 200), 300);
    await asked[1]?.resolve(ids(0, 200), 300);
    await asked[2]?.resolve(ids(200, 100), 300);
    expect(await all).toHaveLength(300);
    void pages.refresh();
    await asked[3]?.resolve(ids(0, 200), 300);
    await asked[4]?.resolve(ids(200, 100), 300);
    expect(shownIds()).toHaveLength(300);
    expect(asked).toHaveLength(5);
  });

  it('are read on while the rows of the first page are hidden, because their deletion can be undone', async () => {
    hidden = new Set(ids(0, 390).map((id) => `chat ${id}`));
    void pages.refresh();
    await asked[0]?.resolve(ids(0, 200), 900);
    await asked[1]?.resolve(ids(200, 200), 900);
    await asked[2]?.resolve(ids(400, 200), 900);
    expect(shownIds()).toHaveLength(600);
    // The screen counts only the rows that it shows.
    void pages.loadAhead(209);
    expect(asked.map(({ input }) => input.skip)).toEqual([0, 200, 400, 600]);
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

const record = sampleRecord('en');

describe('a stored talk', () => {
  it('lists words, pictures and events in order, without the beginning and the end', () => {
    const kinds = recordLines(record).map(({ kind, at }) => `${at / 1000} ${kind}`);
    expect(kinds).toEqual([
      '3 turn',
      '6.2 turn',
      '19.4 turn',
      '24 event',
      '40 event',
      '44 event',
      '51 event',
      '58 event',
      '62 picture',
      '64 turn',
    ]);
  });

  it('numbers turns as in the record, counting silent ones', () => {
    const [first, ...others] = record.turns;
    const silent = { by: 'parley', at: 1000, text: ' ', heard: 1 } as const;
    const turns = first === undefined ? [] : [silent, first, ...others];
    const lines = recordLines({ ...record, turns, events: [], pictures: [] });
    expect(lines.map((line) => (line.kind === 'turn' ? line.index : -1))).toEqual([1, 2, 3, 4]);
  });

  it('strikes out unheard words after the talk, but not while they may still be heard', () => {
    const turn = { by: 'parley', at: 0, text: 'one two three', heard: 7 } as const;
    expect(heardParts(turn, true)).toMatchObject({ heard: 7, cutFrom: 7 });
    expect(heardParts(turn, false).cutFrom).toBeUndefined();
    expect(heardParts({ ...turn, cutFrom: 4 }, false).cutFrom).toBe(4);
    // The user's words count as spoken regardless of `heard`.
    expect(heardParts({ ...turn, by: 'person' }, true)).toMatchObject({
      heard: 13,
      cutFrom: undefined,
    });
  });

  it('is copied as far as it was heard, each turn after its speaker’s name', async () => {
    const turns = [
      { by: 'person', at: 0, text: 'Hello', heard: 0 },
      { by: 'parley', at: 1, text: 'one two three', heard: 7, cutFrom: 7 },
      { by: 'parley', at: 2, text: 'never heard', heard: 0 },
    ] as const;
    const { t } = await createI18n('en');
    expect(recordText({ ...record, turns }, t)).toBe('You: Hello\n\nParley: one two');
  });

  it('has its name or its first words as title, cut between characters', () => {
    expect(recordTitle({ ...record, title: 'Lights' })).toBe('Lights');
    expect(recordTitle(record)).toBe('How far can one see such a light?');
    const text = '🌊'.repeat(100);
    const turns = [{ by: 'parley', at: 0, text, heard: 0 }] as const;
    expect(recordTitle({ ...record, turns })).toBe(`${'🌊'.repeat(80)}…`);
    expect(recordTitle({ ...record, turns: [] })).toBe('');
  });
});

const compared = sampleComparison('en');
const values = {
  comparableTapes: sampleTapes,
  compareTapes: compared,
  rerunTape: { tape: 'made' },
};

async function openSheet(options: Parameters<typeof openApp>[0] = { values }) {
  const app = openApp(options);
  await flushPromises();
  app.asked.length = 0;
  const { comparing } = app.actions;
  await comparing.open('light', 'Why it blinks');
  return { ...app, comparing, shown: () => app.store.getState().comparing };
}

/** A sheet whose rerun waits until the test resolves `sent`. */
async function openWaitingSheet() {
  const sent = deferred();
  return { ...(await openSheet({ values, until: { rerunTape: sent.promise } })), sent };
}

describe('the compare actions', () => {
  it('compare with the chosen recording, by default the newest other recording', async () => {
    const { comparing, shown, asked } = await openSheet();
    expect(shown()).toMatchObject({ title: 'Why it blinks', tapes: sampleTapes, other: 'evening' });
    comparing.choose('morning');
    await comparing.compare();
    expect(asked.at(-1)).toEqual({
      name: 'compareTapes',
      input: { tape: 'light', other: 'morning' },
    });
    expect(shown()?.step).toEqual({ kind: 'compared', compared });
    await comparing.again();
    expect(shown()).toMatchObject({ other: 'morning', step: { kind: 'choosing' } });
  });

  it('rerun the recording on a server, show the progress, and compare the result', async () => {
    const { comparing, shown, asked, notice, sent } = await openWaitingSheet();
    const running = comparing.rerun('embedded');
    const payload = { phase: 'live', doneMs: 1000, ofMs: 4000 } as const;
    notice({ name: 'rerunProgress', payload });
    expect(shown()?.step).toEqual({ kind: 'running', progress: payload, stopping: false });
    sent.resolve();
    await running;
    expect(asked.map(({ name, input }) => [name, input])).toEqual([
      ['comparableTapes', { tape: 'light' }],
      ['rerunTape', { tape: 'light', server: 'embedded' }],
      ['compareTapes', { tape: 'light', other: 'made' }],
    ]);
    expect(shown()?.step.kind).toBe('compared');
  });

  it('show why a comparison failed', async () => {
    const { comparing, shown } = await openSheet({ works: false });
    expect(shown()?.step).toMatchObject({ kind: 'choosing', error: { code: 'noTalk' } });
    await comparing.rerun('embedded');
    expect(shown()?.step).toMatchObject({ kind: 'choosing', error: { code: 'noTalk' } });
  });

  it('stop the rerun when the sheet closes', async () => {
    const { comparing, shown, names, sent } = await openWaitingSheet();
    const running = comparing.rerun('embedded');
    comparing.close();
    expect(names().at(-1)).toBe('stopRerun');
    await comparing.open('other', 'Another');
    sent.resolve();
    await running;
    expect(shown()).toMatchObject({ tape: 'other', step: { kind: 'choosing' } });
    expect(names()).not.toContain('compareTapes');
  });

  it('show that a rerun is stopping, and send one stop request', async () => {
    const { comparing, shown, names, sent } = await openWaitingSheet();
    const running = comparing.rerun('embedded');
    await comparing.stop();
    expect(shown()?.step).toMatchObject({ kind: 'running', stopping: true });
    expect(names().filter((name) => name === 'stopRerun')).toHaveLength(1);
    sent.resolve();
    await running;
  });
});

const of = { kind: 'shown' } as const;
const report = { files: [], recordedAt: undefined };

function openReport(works = true, values = {}) {
  const store = createStore(initialUiState);
  const asked: RequestName[] = [];
  const { bridge } = fakeBridge({ works, values: { prepareReport: report, ...values } });
  const actions = createReportActions({
    store,
    request: (name, input) => {
      asked.push(name);
      return bridge.request(name, input);
    },
    download: () => undefined,
  });
  return { store, asked, actions, step: () => store.getState().reporting?.step };
}

describe('a saved report', () => {
  const step = { kind: 'saved', path: '/home/someone/report.zip' } as const;

  it('opens its folder, or shows the path if the host cannot', async () => {
    const opens = openReport(true, { showSaved: { path: '/home/someone', opened: true } });
    opens.store.setState({ reporting: { source: of, step } });
    await opens.actions.showFolder();
    expect(opens.asked).toEqual(['showSaved']);
    expect(opens.step()).toEqual(step);

    const tells = openReport(true, { showSaved: { path: '/home/someone', opened: false } });
    tells.store.setState({ reporting: { source: of, step } });
    await tells.actions.showFolder();
    expect(tells.step()).toEqual({ ...step, folderPath: '/home/someone' });
  });

  it('shows the error if its folder is unknown', async () => {
    const { actions, store, step: now } = openReport(false);
    store.setState({ reporting: { source: of, step } });
    await actions.showFolder();
    expect(now()).toMatchObject({ kind: 'failed' });
  });
});

describe('a report of the current talk', () => {
  it('is prepared again after the last two minutes were saved as a tape', async () => {
    const { actions, asked, step } = openReport();
    actions.open(of);
    await actions.make(of);
    expect(step()).toEqual({ kind: 'ready', report, saving: false });
    await actions.addRecent();
    expect(step()).toEqual({ kind: 'making' });
    await actions.make(of);
    expect(asked).toEqual(['prepareReport', 'keepRecent', 'prepareReport']);
    expect(step()).toMatchObject({ kind: 'ready' });
  });

  it('stays unchanged and shows the error if saving them failed', async () => {
    const { actions, store, step } = openReport(false);
    store.setState({ reporting: { source: of, step: { kind: 'ready', report, saving: false } } });
    await actions.addRecent();
    expect(step()).toMatchObject({ kind: 'ready', report, error: { code: 'noTalk' } });
  });
});
