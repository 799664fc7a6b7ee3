import type { ReportUiState } from '../../../renderer/report/report-store.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { GalleryState } from '../gallery-state.ts';
import { historyStates } from './history.ts';

const shown =
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
    view: shown({ kind: 'ready', report, saving: false }),
    click: '.report-file:nth-of-type(2) summary',
  },
  'report-making': { view: shown({ kind: 'making' }) },
  'report-failed': {
    view: shown({
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
  'report-saved': { view: shown({ kind: 'saved', path: '/home/someone/report.zip' }) },
};
