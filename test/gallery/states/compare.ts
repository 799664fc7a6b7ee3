import type { CompareUiState } from '../../../renderer/compare/compare-store.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import { sampleComparison, sampleTapes } from '../sample-comparison.ts';
import { historyStates } from './history.ts';

const shown =
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
  shown((language) => ({
    step: { kind: 'compared', compared: sampleComparison(language, alike) },
  }));

export const compareStates: Readonly<Record<string, GalleryState>> = {
  'compare-choosing': { view: shown(() => ({})) },
  'compare-nothing': {
    view: shown(() => ({
      tapes: [],
      other: undefined,
      step: { kind: 'choosing', error: appError('rerunOfNothing') },
    })),
  },
  'compare-running': {
    view: shown(() => ({
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
