import { appError } from '../../../shared/errors/app-error.ts';
import { noUpdates, type UpdateView } from '../../../shared/app/program.ts';
import type { ReleaseNotes } from '../../../shared/updates/update-feed.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import { sampleSettings, section } from '../sample-settings.ts';
import { live } from './talk.ts';

const version = '0.2.0';
const samples = {
  en: '- Answers begin sooner.\n- A talk goes on where the network was away for a moment.',
  zh: '- 回答开始得更快。\n- 网络短暂中断后，通话会继续。',
};

const notesIn = (language: Language): ReleaseNotes => ({
  [language]: inLanguage(samples, language),
});

const about = (part: (notes: ReleaseNotes) => Partial<UpdateView>): GalleryState => ({
  view: (language) => ({
    ...section('about').view(language),
    about: { name: 'Parley', version: '0.1.0', host: 'desktop', runtime: [] },
    updates: { ...noUpdates, mode: 'installs', ...part(notesIn(language)) },
  }),
});

export const updateStates: Readonly<Record<string, GalleryState>> = {
  'updates-ready': about((notes) => ({
    step: { kind: 'ready', version, notes },
    previous: '0.0.9',
  })),
  'updates-offered': about((notes) => ({
    mode: 'announces',
    step: { kind: 'offered', version, notes, address: 'https://updates.example/Parley.tar.gz' },
  })),
  'updates-fetching': about((notes) => ({
    step: { kind: 'fetching', fraction: 0.42, version, notes },
  })),
  'updates-refused': about(() => ({
    problem: appError('updateUnsigned', { host: 'updates.example' }),
  })),
  'updates-talking': {
    view: (language) => ({
      ...live(language),
      ...about(() => ({ step: { kind: 'waiting', version, notes: {} }, previous: '0.0.9' })).view(
        language,
      ),
    }),
  },
  'updates-by-system': about(() => ({ mode: 'system' })),
  'updates-told': {
    view: (language) => ({
      settings: sampleSettings,
      updates: {
        ...noUpdates,
        mode: 'installs',
        step: { kind: 'ready', version, notes: notesIn(language) },
        unseenVersion: version,
      },
    }),
  },
  'settings-desktop-updates': {
    view: (language) => ({
      ...section('desktop').view(language),
      updates: { ...noUpdates, mode: 'installs' },
    }),
  },
};
