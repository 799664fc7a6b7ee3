import type { GalleryState } from '../gallery-state.ts';
import { live } from './talk.ts';

/** Every state of the frame around the screens. */
export const shellStates: Readonly<Record<string, GalleryState>> = {
  'no-connection': { view: () => ({ connection: 'lost' }) },
  'came-back': { view: (language) => ({ ...live(language), recovery: 'pageCrashed' }) },
  'careful-start': { view: () => ({ recovery: 'safeStart' }) },
  palette: { view: (language) => ({ ...live(language), paletteOpen: true }) },
  shortcuts: { view: (language) => ({ ...live(language), shortcutsOpen: true }) },
};
