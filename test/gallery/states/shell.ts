import { appError } from '../../../shared/errors/app-error.ts';
import type { Notice } from '../../../shared/ipc/contract.ts';
import type { WireFrame } from '../../../shared/protocol/wire-frame.ts';
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

const frame = (at: number, direction: WireFrame['direction'], text = ''): WireFrame => ({
  at,
  connection: 1,
  mode: 'audio',
  direction,
  length: direction === 'in' || direction === 'out' ? 43_000 + text.length : 0,
  text,
});
const append = '{"type":"input_audio_buffer.append","audio":"‹42667 characters›"}';
const delta = '{"type":"response.audio.delta","text":"night you can","audio":"‹32000 characters›"}';
const hostile = `{"type":"<img src=x onerror=alert(1)>","text":"‮${'Lärm 噪音 '.repeat(60)}"}`;
const frames: readonly WireFrame[] = [
  frame(0, 'opened'),
  frame(12, 'in', '{"type":"queue_done"}'),
  frame(14, 'out', '{"type":"session.update","session":{"mode":"audio"}}'),
  frame(31, 'in', '{"type":"session.created","session":{"id":"s-1"}}'),
  ...Array.from({ length: 14 }, (_, step) => [
    frame(1031 + step * 1000, 'out', append),
    frame(1240 + step * 1000, 'in', delta),
  ]).flat(),
  frame(15_000, 'in', hostile),
  frame(15_100, 'ended', '1006'),
];
const wire: Notice = { name: 'wire', payload: { frames, missed: 0 } };
const open: GalleryState['view'] = (language) => ({ ...live(language), inspectorOpen: true });

export const inspectorStates: Readonly<Record<string, GalleryState>> = {
  'inspector-empty': { view: () => ({ inspectorOpen: true }) },
  inspector: { view: open, emit: [wire], drawn: true },
  // With enough room the graphs are already open.
  'inspector-graphs': {
    view: open,
    emit: [wire],
    drawn: true,
    click: '.inspector-head [aria-expanded="false"]',
  },
  'inspector-event': {
    view: open,
    emit: [wire],
    afterwards: '.frame:nth-last-child(2)',
    drawn: true,
  },
};
