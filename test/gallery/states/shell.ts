import { appError } from '../../../shared/errors/app-error.ts';
import type { GalleryState } from '../gallery-state.ts';
import { sampleSettings } from '../sample-settings.ts';
import { live } from './talk.ts';

export const shellStates: Readonly<Record<string, GalleryState>> = {
  'no-connection': { view: () => ({ connection: 'lost' }) },
  'came-back': { view: (language) => ({ ...live(language), recovery: 'pageCrashed' }) },
  'careful-start': { view: () => ({ recovery: 'safeStart' }) },
  'start-link': {
    view: () => ({ settings: sampleSettings, openedLink: { kind: 'start', preset: 'coach' } }),
  },
  'start-link-talking': {
    view: (language) => ({
      ...live(language),
      settings: sampleSettings,
      openedLink: { kind: 'start', preset: 'coach' },
    }),
  },
  'start-link-refused': {
    view: () => ({ openedLink: { kind: 'refused', error: appError('linkUnknown') } }),
  },
  palette: { view: (language) => ({ ...live(language), paletteOpen: true }) },
  guide: { view: (language) => ({ ...live(language), guide: { search: '' } }) },
  'guide-found': {
    view: (language) => ({ guide: { search: language === 'zh' ? '快捷键' : 'key microphone' } }),
  },
  'guide-nothing': { view: () => ({ guide: { search: 'aeroplane' } }) },
  shortcuts: { view: (language) => ({ ...live(language), shortcutsOpen: true }) },
};
