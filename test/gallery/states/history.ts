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
  'history-choosing': { view: withList({ selection: new Set(['talk light', 'chat verbs']) }) },
  'history-problem': { view: withList({ problem: appError('historyIndexLost') }) },
  'history-removed': {
    view: withList({ selection: new Set(['talk light']) }),
    click: '.history-selection [data-kind="danger"]',
  },
  'history-talk': { view: opened((language) => sampleTalk(language)) },
  'history-talk-found': { view: opened((language) => sampleTalk(language), 2) },
  'history-talk-words-writing': {
    view: opened((language) => sampleTalk(language, { words: { isRunning: true, written: 3 } })),
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

export const compareStates: Readonly<Record<string, GalleryState>> = {
  'compare-choosing': { view: comparisonOf(() => ({})) },
  'compare-running': {
    view: comparisonOf(() => ({
      step: {
        kind: 'running',
        stopping: false,
        progress: { phase: 'live', doneMs: 21_000, ofMs: 48_000 },
      },
    })),
  },
  'compare-differs': {
    view: comparisonOf((language) => ({
      step: { kind: 'compared', compared: sampleComparison(language) },
    })),
  },
};
