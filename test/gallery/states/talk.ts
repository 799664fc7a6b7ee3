import { initialUiState, type UiState } from '../../../renderer/app/ui-state.ts';
import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import { initialSettingsUiState } from '../../../renderer/settings/settings-ui-state.ts';
import { appError, refusedError, sessionError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import {
  type TalkControls,
  type TalkEnding,
  type TalkOffer,
  type TalkState,
  idleTalkView,
  type TalkTextState,
} from '../../../shared/talk/talk-view.ts';
import type { GalleryState } from '../gallery-state.ts';
import { sampleChat, hostileTurns, sampleTurns, sampleUserTranscript } from '../sample-talk.ts';
import { sampleDevices, sampleSettings, severalServers } from '../sample-settings.ts';
import {
  initialVisionUiState,
  type VisionUiState,
} from '../../../renderer/capture/vision-ui-state.ts';
import type { CaptureSource } from '../../../shared/vision/vision-options.ts';

const facts = { mode: 'audio', endpoint: 'Demonstration' } as const;
const at = (value: TalkState): Pick<UiState, 'talkState' | 'facts'> => ({
  talkState: { value, at: 0 },
  facts,
});
const reconnecting = at({
  phase: 'reconnecting',
  attempt: 2,
  inMs: 4000,
  error: sessionError('connection_lost'),
});
const limits: UiState['limits'] = {
  value: { seconds: 424, tokens: 6120, tokenSeconds: 480, pruning: false },
  at: 0,
};
const using = { kind: 'using', device: 'Built-in Audio' } as const;
export const live = (language: Language): Partial<UiState> => ({
  ...at({ phase: 'live' }),
  devices: { microphone: using, speaker: using },
  limits,
  floor: 'parley',
  captions: sampleTurns(language),
  controls: { ...idleTalkView.controls, transmitting: true, passing: true },
});
const liveWith = (part: Partial<UiState>): GalleryState['view'] => {
  return (language) => ({ ...live(language), ...part });
};
const controlled = (part: Partial<TalkControls>): GalleryState['view'] =>
  liveWith({ controls: { ...idleTalkView.controls, ...part }, floor: 'nobody' });
const ended = (ending: Omit<TalkEnding, 'orderly'>, offer: TalkOffer): GalleryState => ({
  view: () => at({ phase: 'ended', ending: { ...ending, orderly: true }, offer }),
});
const endedWith = (talk: TalkTextState): GalleryState => ({
  view: (language) => ({
    ...ended({ error: sessionError('user_stop'), by: 'client' }, 'none').view(language),
    captions: sampleTurns(language),
    storage: { incognito: false, talk },
  }),
});

export const talkStates: Readonly<Record<string, GalleryState>> = {
  idle: { view: () => ({ settings: sampleSettings }) },
  connecting: { view: () => at({ phase: 'connecting' }) },
  queued: {
    view: () => ({
      settings: sampleSettings,
      ...at({ phase: 'queued', position: 3, length: 7, etaSeconds: 95 }),
    }),
  },
  'live-anew': {
    view: (language) => {
      const [first, second, third] = sampleTurns(language);
      const turns = [first, second, third && { ...third, startsSession: true as const }];
      return { ...live(language), captions: turns.filter((turn) => turn !== undefined) };
    },
  },
  'live-empty': { view: (language) => ({ ...live(language), captions: [], floor: 'nobody' }) },
  'live-opening': {
    view: liveWith({ captions: [], floor: 'nobody', devices: idleTalkView.devices }),
  },
  'live-parley': { view: live, heard: 'parley' },
  'live-both': { view: liveWith({ floor: 'both' }), heard: 'both' },
  'live-nobody': { view: liveWith({ floor: 'nobody' }) },
  'live-own-words': {
    view: (language) => ({ ...live(language), userTranscript: sampleUserTranscript(language) }),
  },
  'ended-own-words-failed': {
    view: (language) => ({
      ...endedWith({ kind: 'stored', id: 'light' }).view(language),
      userTranscript: {
        ...sampleUserTranscript(language),
        status: { kind: 'failed', error: appError('noChatInLegacy'), demonstration: false },
      },
    }),
  },
  'live-hold': { view: controlled({ talking: 'hold' }) },
  'live-muted': { view: controlled({ muted: true }) },
  'live-paused': { view: controlled({ paused: true }) },
  'live-camera': {
    view: liveWith({ facts: { ...facts, mode: 'video' } }),
    heard: 'parley',
    capture: 'open',
  },
  'live-seen': {
    view: liveWith({ facts: { ...facts, mode: 'video' } }),
    capture: 'open',
    frame: true,
    click: '.capture-sides button:last-child',
  },
  'live-frozen': {
    view: liveWith({ facts: { ...facts, mode: 'video' } }),
    capture: 'open',
    click: '.capture-controls [data-held]',
  },
  'live-no-camera': { view: liveWith({ facts: { ...facts, mode: 'video' } }), capture: 'denied' },
  'live-no-microphone': {
    view: liveWith({
      devices: {
        microphone: {
          kind: 'lost',
          error: appError('noMicrophone'),
        },
        speaker: { kind: 'standsIn', device: 'Built-in speakers', missing: 'USB headset' },
      },
    }),
  },
  'live-warning': {
    view: liveWith({
      warning: { limit: 'time', threshold: 15, secondsLeft: 15 },
      limits: {
        value: { seconds: 15, tokens: 300, tokenSeconds: 20, pruning: false },
        at: 0,
      },
    }),
  },
  'live-troubles': {
    view: liveWith({
      talkErrors: [
        appError(
          'serverReports',
          { reason: 'inference_error' },
          { detail: 'step 12: out of memory' },
        ),
        appError('eventUnreadable', {}, { detail: 'This frame is no JSON.' }),
        appError('tapeGap'),
      ],
      problem: appError('noTalk'),
    }),
  },
  'live-hostile': { view: liveWith({ captions: hostileTurns }) },
  'live-incognito': {
    view: liveWith({ storage: { incognito: true, talk: { kind: 'incognito' } } }),
  },
  'live-recent': {
    view: liveWith({
      storage: {
        incognito: false,
        talk: { kind: 'notStored' },
        recent: {
          kind: 'stored',
          path: '/home/someone/parley/tapes/2026-01-02T03-04-05',
          seconds: 121,
        },
      },
    }),
  },
  'live-long': {
    view: (language) => ({
      ...live(language),
      captions: Array.from({ length: 200 }, (_, turn) => ({
        ...(sampleTurns(language)[turn % 2 === 0 ? 0 : 1] ?? hostileTurns[0]),
        turn,
      })) as UiState['captions'],
    }),
  },
  'reconnecting-after-words': {
    view: (language) => ({
      ...live(language),
      ...reconnecting,
    }),
  },
  'reconnecting-camera': {
    view: (language) => ({
      ...live(language),
      ...reconnecting,
      facts: { ...facts, mode: 'video' },
    }),
    capture: 'open',
  },
  ending: { view: () => at({ phase: 'ending' }) },
  'ended-by-you': ended({ error: sessionError('user_stop'), by: 'client' }, 'none'),
  'ended-asked': endedWith({ kind: 'asked' }),
  'ended-unreached': ended(
    { error: appError('nothingListens', { server: 'talk.example:8006' }), by: 'network' },
    'retry',
  ),
  'ended-endpoint': ended(
    {
      error: appError('nothingListens', { server: 'talk.example:8006' }),
      by: 'network',
    },
    'checkEndpoint',
  ),
  'ended-token': ended(
    {
      error: refusedError(401, 'token expired'),
      by: 'server',
    },
    'checkToken',
  ),
};

export const dockStates: Readonly<Record<string, GalleryState>> = {
  'live-spoken': {
    view: (language) => ({
      ...live(language),
      spoken: {
        turns: [
          { at: 0, seconds: 4.2, after: undefined },
          { at: 9000, seconds: 2, after: sampleTurns(language).at(-2)?.turn },
        ],
        speaking: undefined,
      },
    }),
  },
  'live-typing': {
    view: (language) => {
      const conversation = sampleChat(language);
      return {
        ...live(language),
        chat: { ...initialChatUiState, conversation },
        typing: { ...initialUiState.typing, open: true, chat: conversation.id },
      };
    },
  },
  'live-typing-refused': {
    view: (language) => ({
      ...live(language),
      typing: { ...initialUiState.typing, open: true, error: appError('noChatInLegacy') },
    }),
  },
  'live-more-choices': {
    view: (language) => ({
      ...live(language),
      settings: { ...sampleSettings, endpoints: severalServers },
      settingsUi: { ...initialSettingsUiState, devices: sampleDevices },
    }),
    clicks: ['.dock-row > :nth-last-child(2)', '.folded-choice summary'],
  },
  'live-more': { view: live, click: '.dock-row > :nth-last-child(2)' },
};

const visionView = (part: Partial<VisionUiState>): GalleryState['view'] => {
  return (language) => ({
    ...live(language),
    settings: sampleSettings,
    facts: { mode: 'video', endpoint: 'Demonstration' },
    visionUi: { ...initialVisionUiState, ...part },
  });
};
const screens: readonly CaptureSource[] = [
  { id: 'screen:0', kind: 'screen', name: 'Screen 1' },
  { id: 'screen:1', kind: 'screen', name: 'Screen 2' },
];
const windows: readonly CaptureSource[] = [
  { id: 'window:1', kind: 'window', name: 'Letters' },
  { id: 'window:2', kind: 'window', name: `${'A window with a very long name '.repeat(8)}‮txet` },
  { id: 'window:3', kind: 'window', name: '<b>Spreadsheet</b>' },
];
const part = { left: 0.3, top: 0.2, width: 0.55, height: 0.7 };

export const visionStates: Readonly<Record<string, GalleryState>> = {
  'see-options': {
    view: visionView({}),
    capture: 'open',
    click: '.capture-tools > .icon-button:last-child',
  },
  'see-sources': {
    view: visionView({}),
    capture: 'open',
    key: '.capture-tools > .icon-button:first-child',
  },
  'see-screen': {
    view: visionView({ source: { kind: 'screen', id: 'screen:0' } }),
    capture: 'open',
  },
  'see-part': {
    view: visionView({ source: { kind: 'screen', id: 'screen:0' }, crop: part }),
    capture: 'open',
  },
  'see-choosing-part': {
    view: visionView({
      source: { kind: 'screen', id: 'screen:0' },
      cropping: 'region',
      crop: part,
    }),
    capture: 'open',
  },
  'see-connecting': {
    view: (language) => ({
      ...visionView({ awaitsTalk: true })(language),
      captions: [],
      talkState: { value: { phase: 'connecting' }, at: 0 },
    }),
    capture: 'open',
  },
  'see-from-voice': {
    view: (language) => ({
      ...live(language),
      facts: { mode: 'audio', endpoint: 'Demonstration' },
    }),
    click: '.dock-row > .icon-button:nth-child(2)',
  },
  'see-pick-screen': {
    view: visionView({ picking: { kind: 'screen', list: screens, begins: false } }),
    thumbnails: true,
  },
  'see-pick-window': {
    view: visionView({ picking: { kind: 'window', list: windows, begins: false } }),
  },
  'see-sharing-ended': {
    view: visionView({ source: { kind: 'window', id: 'window:1' } }),
    capture: 'ended',
  },
};
