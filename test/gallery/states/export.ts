import type { ExportUiState } from '../../../renderer/export/export-store.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import { exportFormats } from '../../../shared/recordings/export-format.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import { historyStates } from './history.ts';

const shown =
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
  export: { view: shown({ format: 'wav' }) },
  'export-text': {
    view: shown({
      origin: { kind: 'chat', id: 'verbs' },
      offer: { formats: ['md', 'txt', 'json', 'zip'], ffmpeg: false },
    }),
  },
  'export-failed': {
    view: shown({
      offer: { formats: exportFormats, ffmpeg: false },
      step: { kind: 'choosing', error: appError('diskFull', { path: '/home/someone/talk.wav' }) },
    }),
  },
  'export-working': { view: shown({ step: { kind: 'working', fraction: 0.42, stopping: false } }) },
  'export-saved': {
    view: shown({ step: { kind: 'saved', path: '/home/someone/Documents/lighthouse.mp4' } }),
  },
};
