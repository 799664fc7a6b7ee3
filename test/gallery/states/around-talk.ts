import type { UiState } from '../../../renderer/app/ui-state.ts';
import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import { initialHistoryUiState } from '../../../renderer/history/history-ui-state.ts';
import { appError, sessionError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import { embeddedProfile } from '../../../shared/settings/connection-settings.ts';
import { type TalkState, idleTalkView } from '../../../shared/talk/talk-view.ts';
import type { GalleryState } from '../gallery-state.ts';
import { sampleChat, sampleList } from '../sample-chat.ts';
import { sampleHistory } from '../sample-history.ts';
import { sampleSettings } from '../sample-settings.ts';
import { live } from './talk.ts';

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
  'pill-camera': { view: inChat({ talkCapture: 'camera' }) },
  'pill-paused': {
    view: inChat({ controls: { ...idleTalkView.controls, paused: true } }),
  },
  'pill-queued': {
    view: inSettings({ phase: 'queued', position: 2, length: 5, etaSeconds: 95 }),
  },
  'pill-reconnecting': {
    view: inSettings({
      phase: 'reconnecting',
      attempt: 2,
      inMs: 4000,
      error: sessionError('connection_lost'),
    }),
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
  'live-sharing': {
    view: (language) => ({
      ...live(language),
      talkCapture: 'screen',
      facts: { mode: 'video', endpoint: 'Demonstration' },
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
