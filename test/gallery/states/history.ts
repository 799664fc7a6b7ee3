import type { CompareUiState } from '../../../renderer/compare/compare-store.ts';
import type { ExportUiState } from '../../../renderer/export/export-store.ts';
import {
  type HistoryUiState,
  initialHistoryUiState,
} from '../../../renderer/history/history-ui-state.ts';
import type { ReportUiState } from '../../../renderer/report/report-store.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import { exportFormats } from '../../../shared/recordings/export-format.ts';
import type { OpenedTalkRecord } from '../../../shared/recordings/talk-record.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import {
  sampleComparison,
  sampleHistory,
  sampleHits,
  sampleRecord,
  sampleSizes,
  sampleTalk,
  sampleTapes,
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

const exportOf =
  (part: Partial<ExportUiState>): GalleryState['view'] =>
  (language) => ({
    ...historyStates['history-talk']?.view(language),
    exporting: {
      origin: { kind: 'talk', id: 'light' },
      title: inLanguage({ en: 'Why the lighthouse blinks', zh: '灯塔为什么一闪一闪' }, language),
      offer: { formats: exportFormats, ffmpeg: true },
      format: 'md',
      mix: false,
      step: { kind: 'choosing' },
      ...part,
    },
  });

export const exportStates: Readonly<Record<string, GalleryState>> = {
  export: { view: exportOf({ format: 'wav' }) },
  'export-text': {
    view: exportOf({
      origin: { kind: 'chat', id: 'verbs' },
      offer: { formats: ['md', 'txt', 'json', 'zip'], ffmpeg: false },
    }),
  },
  'export-failed': {
    view: exportOf({
      offer: { formats: exportFormats, ffmpeg: false },
      step: { kind: 'choosing', error: appError('diskFull', { path: '/home/someone/talk.wav' }) },
    }),
  },
  'export-working': {
    view: exportOf({ step: { kind: 'working', fraction: 0.42, stopping: false } }),
  },
  'export-saved': {
    view: exportOf({ step: { kind: 'saved', path: '/home/someone/Documents/lighthouse.mp4' } }),
  },
};

const reportOf =
  (step: ReportUiState['step']): GalleryState['view'] =>
  (language) => ({
    ...historyStates['history-talk']?.view(language),
    reporting: { source: { kind: 'talk', id: 'light' }, step },
  });

const files = [
  {
    name: 'about.txt',
    bytes: 1412,
    preview: 'Parley 0.4.0, desktop, linux x64 6.1.0\nNode 24.1.0',
  },
  {
    name: 'log.txt',
    bytes: 20_311,
    preview: '2026-10-03T14:02:11.000Z 4711 warn: xxxx://xxx.xxxxxxxx refused: the disk is full',
  },
  { name: 'talk.parleytape', bytes: 4_211_004, preview: 'tape.ndjson  40123 bytes' },
];
const report = { files, recordedAt: '2026-10-03T14:02:11.000Z' };

export const reportStates: Readonly<Record<string, GalleryState>> = {
  report: {
    view: reportOf({ kind: 'ready', report, saving: false }),
    click: '.report-file:nth-of-type(2) summary',
  },
  'report-making': { view: reportOf({ kind: 'making' }) },
  'report-failed': {
    view: reportOf({
      kind: 'ready',
      report: { files: files.slice(0, 2), recordedAt: undefined },
      saving: false,
      error: appError('diskFull', { path: '/home/someone/report.zip' }),
    }),
  },
  'report-recent': {
    view: (language) => ({
      ...historyStates['history-talk']?.view(language),
      storage: { incognito: false, talk: { kind: 'notStored' }, recent: { kind: 'inMemory' } },
      reporting: {
        source: { kind: 'shown' },
        step: {
          kind: 'ready',
          report: { files: files.slice(0, 2), recordedAt: undefined },
          saving: false,
        },
      },
    }),
  },
  'report-saved': { view: reportOf({ kind: 'saved', path: '/home/someone/report.zip' }) },
};

const comparisonOf =
  (part: (language: Language) => Partial<CompareUiState>): GalleryState['view'] =>
  (language) => ({
    ...historyStates['history-talk']?.view(language),
    comparing: {
      tape: 'light',
      title: inLanguage({ en: 'Why the lighthouse blinks', zh: '灯塔为什么一闪一闪' }, language),
      tapes: sampleTapes,
      other: 'evening',
      server: undefined,
      step: { kind: 'choosing' },
      ...part(language),
    },
  });
const compared = (alike: boolean): GalleryState['view'] =>
  comparisonOf((language) => ({
    step: { kind: 'compared', compared: sampleComparison(language, alike) },
  }));

export const compareStates: Readonly<Record<string, GalleryState>> = {
  'compare-choosing': { view: comparisonOf(() => ({})) },
  'compare-nothing': {
    view: comparisonOf(() => ({
      tapes: [],
      other: undefined,
      step: { kind: 'choosing', error: appError('rerunOfNothing') },
    })),
  },
  'compare-running': {
    view: comparisonOf(() => ({
      step: {
        kind: 'running',
        stopping: false,
        progress: { phase: 'live', doneMs: 21_000, ofMs: 48_000 },
      },
    })),
  },
  'compare-differs': { view: compared(false) },
  'compare-alike': { view: compared(true) },
};
