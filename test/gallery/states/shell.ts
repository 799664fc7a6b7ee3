import type { GalleryState } from '../gallery-state.ts';
import { live } from './talk.ts';

/** Every state of the frame around the screens, and of About. */
export const shellStates: Readonly<Record<string, GalleryState>> = {
  'no-connection': { view: () => ({ connection: 'lost' }) },
  palette: { view: (language) => ({ ...live(language), paletteOpen: true }) },
  about: {
    view: () => ({
      place: 'about',
      about: {
        name: 'Parley',
        version: '0.1.0',
        host: 'desktop',
        runtime: [
          { name: 'Electron', version: '33.4.11' },
          { name: 'Node', version: '20.18.3' },
        ],
      },
      parts: {
        portaudio: {
          part: 'portaudio',
          milliseconds: 4,
          state: 'loads',
          detail: 'naudiodon 2.3.6',
        },
        sharp: {
          part: 'sharp',
          milliseconds: 4,
          state: 'fails',
          reason: 'The library is damaged; delete node_modules and start again.',
        },
      },
    }),
  },
};
