import {
  type HistoryUiState,
  initialHistoryUiState,
} from '../../../renderer/history/history-ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import type { OpenedTalkRecord } from '../../../shared/recordings/talk-record.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import {
  sampleHistory,
  sampleHits,
  sampleRecord,
  sampleSizes,
  sampleTalk,
} from '../sample-history.ts';
import { sampleSettings } from '../sample-settings.ts';

const shown = (history: (language: Language) => Partial<HistoryUiState>): GalleryState['view'] => {
  return (language) => ({
    screen: 'history',
    settings: sampleSettings,
    history: { ...initialHistoryUiState, ...history(language) },
  });
};
const listedIn = (language: Language): Partial<HistoryUiState> => {
  const entries = sampleHistory(language).map((item) => ({ item }));
  const listed = {
    entries,
    total: entries.length,
    complete: true,
    query: '',
    show: 'all',
  } as const;
  return { listed, sizes: sampleSizes };
};
const withList = (part: Partial<HistoryUiState> = {}): GalleryState['view'] =>
  shown((language) => ({ ...listedIn(language), ...part }));
const opened = (
  talk: (language: Language) => OpenedTalkRecord,
  turn?: number,
): GalleryState['view'] =>
  shown((language) => ({
    ...listedIn(language),
    opened: { id: 'light', turn, talk: talk(language), error: undefined },
  }));
const none = { entries: [], total: 0, complete: true, query: '', show: 'all' } as const;

export const historyStates: Readonly<Record<string, GalleryState>> = {
  'history-empty': { view: shown(() => ({ listed: none })) },
  'history-none-kept': {
    view: (language) => ({
      ...shown(() => ({ listed: none }))(language),
      settings: {
        ...sampleSettings,
        privacy: { ...sampleSettings.privacy, keepTalks: 'no' },
      },
    }),
  },
  'history-none-of-kind': {
    view: shown(() => ({ show: 'pinned', listed: { ...none, show: 'pinned' } })),
  },
  'history-list': { view: withList() },
  'history-menu': { view: withList(), key: '[data-index="1"] .icon-button' },
  'history-found': {
    view: shown((language) => {
      const entries = sampleHits(language);
      const query = inLanguage({ en: 'lighthouse', zh: '灯塔' }, language);
      const listed = { ...none, entries, total: entries.length, query };
      return { query, listed, sizes: sampleSizes };
    }),
  },
  'history-not-found': {
    view: shown(() => ({ query: 'zeppelin', listed: { ...none, query: 'zeppelin' } })),
  },
  'history-reading': {
    view: shown((language) => {
      const { listed } = listedIn(language);
      return listed === undefined ? {} : { listed: { ...listed, complete: false } };
    }),
  },
  'history-choosing': { view: withList({ selection: new Set(['talk light', 'chat verbs']) }) },
  'history-problem': { view: withList({ problem: appError('historyIndexLost') }) },
  'history-folder': { view: withList({ folder: '/home/someone/parley/talks' }) },
  'history-removed': {
    view: withList({ selection: new Set(['talk light']) }),
    click: '.history-selection [data-kind="danger"]',
  },
  'history-talk': { view: opened((language) => sampleTalk(language)) },
  'history-talk-found': { view: opened((language) => sampleTalk(language), 2) },
  'history-talk-cut': {
    view: opened((language) =>
      sampleTalk(language, {
        tape: false,
        record: sampleRecord(language, { ending: undefined, mode: 'audio', pictures: [] }),
      }),
    ),
  },
  'history-talk-goes-on': {
    view: opened((language) =>
      sampleTalk(language, {
        isRunning: true,
        record: sampleRecord(language, { ending: undefined }),
      }),
    ),
  },
  'history-talk-words-writing': {
    view: opened((language) => sampleTalk(language, { words: { isRunning: true, written: 3 } })),
  },
  'history-talk-words-failed': {
    view: opened((language) =>
      sampleTalk(language, {
        words: { isRunning: false, written: 0, error: appError('ownWordsServerGone') },
      }),
    ),
  },
  'history-talk-silent': {
    view: opened((language) =>
      sampleTalk(language, {
        record: sampleRecord(language, { turns: [], events: [], pictures: [] }),
      }),
    ),
  },
  'history-talk-gone': {
    view: shown((language) => ({
      ...listedIn(language),
      opened: { id: 'light', turn: undefined, talk: undefined, error: appError('talkRecordGone') },
    })),
  },
  'history-picture': {
    view: opened((language) => sampleTalk(language)),
    click: '.history-line .picture',
  },
};
