import type { UiState } from '../../../renderer/app/ui-state.ts';
import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import { initialHistoryUiState } from '../../../renderer/history/history-ui-state.ts';
import { appError, sessionError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import { embeddedProfile } from '../../../shared/settings/connection-settings.ts';
import { type TalkState, idleTalkView } from '../../../shared/talk/talk-view.ts';
import type { GalleryState } from '../gallery-state.ts';
import { sampleChat, sampleList } from '../sample-talk.ts';
import { sampleHistory } from '../sample-history.ts';
import { sampleSettings } from '../sample-settings.ts';
import { live } from './talk.ts';
import type { Notice } from '../../../shared/ipc/contract.ts';
import type { WireFrame } from '../../../shared/protocol/wire-frame.ts';

const studio = {
  ...embeddedProfile,
  id: 'studio',
  name: 'Studio in the attic',
  kind: 'local',
  url: 'ws://studio.example:8006',
} as const;
const liveSince = -125_000;
const inChat = (part: Partial<UiState> = {}): GalleryState['view'] => {
  return (language: Language) => ({
    ...live(language),
    liveSince,
    screen: 'chat',
    chat: {
      ...initialChatUiState,
      isRead: true,
      list: sampleList(language),
      conversation: sampleChat(language),
    },
    ...part,
  });
};
const inSettings = (value: TalkState): GalleryState['view'] => {
  return (language) => ({
    ...live(language),
    screen: 'settings',
    talkState: { value, at: 0 },
  });
};

export const aroundTalkStates: Readonly<Record<string, GalleryState>> = {
  'live-only-listens': {
    view: (language) => ({
      ...live(language),
      onlyListening: {
        spokenSeconds: 9,
        steps: 14,
        settings: ['listenProbScale', 'lengthPenalty'],
      },
    }),
  },
  'idle-by-key': {
    view: () => ({
      settings: { ...sampleSettings, talking: { ...sampleSettings.talking, mode: 'hold' } },
      toast: 'USB Headset',
    }),
  },
  'idle-used': {
    view: (language) => ({
      settings: {
        ...sampleSettings,
        endpoints: { chosen: studio.id, list: [...sampleSettings.endpoints.list, studio] },
      },
      history: {
        ...initialHistoryUiState,
        recent: sampleHistory(language)
          .filter(({ kind }) => kind === 'talk')
          .slice(0, 3),
      },
    }),
  },
  'pill-live': { view: inChat() },
  'pill-muted-sharing': {
    view: inChat({
      talkCapture: 'screen',
      controls: { ...idleTalkView.controls, muted: true },
    }),
  },
  'pill-queued': {
    view: inSettings({ phase: 'queued', position: 2, length: 5, etaSeconds: 95 }),
  },
  'pill-ended': {
    view: inChat(),
    emit: [
      {
        name: 'talkState',
        payload: {
          phase: 'ended',
          ending: { error: sessionError('timeout'), by: 'server', orderly: true },
          offer: 'continue',
        },
      },
    ],
  },
  'ended-field': {
    view: () => ({
      settings: { ...sampleSettings, endpoints: { chosen: 'studio', list: [studio] } },
      facts: { mode: 'audio', endpoint: studio.name },
      talkState: {
        value: {
          phase: 'ended',
          ending: {
            error: appError(
              'fieldRefused',
              { field: 'beam_width', reason: 'backend_error' },
              { detail: "got an unexpected keyword argument 'beam_width'" },
            ),
            by: 'server',
            orderly: false,
          },
          offer: 'checkEndpoint',
        },
        at: 0,
      },
    }),
  },
  'live-hearing-computer': {
    view: (language) => {
      const view = live(language);
      const mark = { hearsComputer: true } as const;
      const captions = (view.captions ?? []).map((turn) => Object.assign({}, turn, mark));
      return { ...view, captions, computerSound: { kind: 'on' } };
    },
  },
  'mini-hearing-computer-lost': {
    size: { width: 420, height: 216 },
    view: (language) => ({
      ...live(language),
      windows: { main: true, mini: true },
      window: 'mini',
      talkCapture: 'screen',
      computerSound: { kind: 'lost', error: appError('computerSoundFailed') },
    }),
  },
  'mini-sharing': {
    size: { width: 420, height: 216 },
    view: (language) => ({
      ...live(language),
      windows: { main: true, mini: true },
      window: 'mini',
      talkCapture: 'screen',
    }),
  },
};

export const shellStates: Readonly<Record<string, GalleryState>> = {
  'no-connection': { view: () => ({ connection: 'lost' }) },
  'came-back': { view: (language) => ({ ...live(language), recovery: 'pageCrashed' }) },
  'careful-start': { view: () => ({ recovery: 'safeStart' }) },
  'start-link': {
    view: () => ({ settings: sampleSettings, openedLink: { kind: 'start', preset: 'coach' } }),
  },
  'start-link-refused': {
    view: () => ({ openedLink: { kind: 'refused', error: appError('linkUnknown') } }),
  },
  palette: { view: (language) => ({ ...live(language), paletteOpen: true }) },
  guide: { view: (language) => ({ ...live(language), guide: { search: '' } }) },
  'guide-found': {
    view: (language) => ({ guide: { search: language === 'zh' ? '快捷键' : 'key microphone' } }),
  },
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

const first: GalleryState['view'] = () => ({
  settings: { ...sampleSettings, firstRun: { done: false } },
});
const submit = '.first-run [type="submit"]';
const steps = (count: number) => Array.from({ length: count }, () => submit);

const using = { kind: 'using', device: 'Built-in microphone' } as const;

/** The step that listens to the microphone, after these reports of its meter. */
const metered = (
  ...reports: readonly Extract<Notice, { name: 'microphoneMeter' }>['payload'][]
): GalleryState => ({
  view: first,
  clicks: steps(2),
  emit: reports.map((payload) => ({ name: 'microphoneMeter', payload })),
});

export const firstRunStates: Readonly<Record<string, GalleryState>> = {
  'first-language': { view: first },
  'first-microphone': { view: first, clicks: steps(1) },
  'first-cursor': {
    view: (language) => ({ ...first(language), windows: { main: true, mini: false } }),
    clicks: [...steps(1), '.first-run-buttons button:last-child'],
  },
  'first-listening': metered(using, { kind: 'level', rmsDb: -50, peakDb: -46, clipped: 0 }),
  'first-heard': metered(using, { kind: 'level', rmsDb: -24, peakDb: -12, clipped: 0 }),
  'first-no-microphone': metered({ kind: 'problem', error: appError('noMicrophone') }),
  'first-server': {
    view: first,
    clicks: [submit, '.first-run-buttons .button:last-child'],
  },
  'first-own-server': {
    view: first,
    clicks: [submit, '.first-run-buttons .button:last-child', '.choice:last-child input'],
  },
};
