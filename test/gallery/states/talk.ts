import type { GalleryState } from '../gallery-state.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import type { UiState } from '../../../renderer/store/ui-state.ts';
import type { TalkControls } from '../../../shared/talk/talk-controls.ts';
import type { TalkEnding, TalkOffer, TalkState } from '../../../shared/talk/talk-state.ts';
import { idleTalkView } from '../../../shared/talk/talk-view.ts';
import { sampleSettings } from '../sample-settings.ts';
import { hostileTurns, sampleTurns } from '../sample-captions.ts';

const facts = { mode: 'audio', endpoint: 'Demonstration' } as const;
const at = (value: TalkState): Pick<UiState, 'talkState' | 'facts'> => ({
  talkState: { value, at: 0 },
  facts,
});
const limits: UiState['limits'] = {
  value: { seconds: 424, tokens: 6120, tokenSeconds: 480, pruning: false },
  at: 0,
};
export const live = (language: Language): Partial<UiState> => ({
  ...at({ phase: 'live' }),
  limits,
  floor: 'parley',
  captions: sampleTurns(language),
  controls: { ...idleTalkView.controls, transmitting: true },
});
const liveWith = (part: Partial<UiState>): GalleryState['view'] => {
  return (language) => ({ ...live(language), ...part });
};
const controlled = (part: Partial<TalkControls>): GalleryState['view'] =>
  liveWith({ controls: { ...idleTalkView.controls, ...part }, floor: 'nobody' });
const ended = (ending: Omit<TalkEnding, 'orderly'>, offer: TalkOffer): GalleryState => ({
  view: () => at({ phase: 'ended', ending: { ...ending, orderly: true }, offer }),
});

/** Every state of the Talk screen. */
export const talkStates: Readonly<Record<string, GalleryState>> = {
  idle: { view: () => ({}) },
  connecting: { view: () => at({ phase: 'connecting' }) },
  queued: {
    view: () => ({
      settings: sampleSettings,
      ...at({ phase: 'queued', position: 3, length: 7, etaSeconds: 95 }),
    }),
  },
  'queued-unknown': {
    view: () =>
      at({ phase: 'queued', position: undefined, length: undefined, etaSeconds: undefined }),
  },
  'live-empty': { view: (language) => ({ ...live(language), captions: [], floor: 'nobody' }) },
  'live-you': { view: liveWith({ floor: 'you' }), heard: 'you' },
  'live-parley': { view: live, heard: 'parley' },
  'live-both': { view: liveWith({ floor: 'both' }), heard: 'both' },
  'live-nobody': { view: liveWith({ floor: 'nobody' }) },
  'live-hold': { view: controlled({ talking: 'hold' }) },
  'live-holding': {
    view: controlled({ talking: 'holdOrTap', transmitting: true }),
    heard: 'you',
  },
  'live-muted': { view: controlled({ muted: true }) },
  'live-coughing': { view: controlled({ coughMuted: true }) },
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
    click: '.capture-controls > .icon-button',
  },
  'live-camera-opening': {
    view: liveWith({ facts: { ...facts, mode: 'video' } }),
    capture: 'opening',
  },
  'live-no-camera': { view: liveWith({ facts: { ...facts, mode: 'video' } }), capture: 'denied' },
  'live-no-microphone': {
    view: liveWith({
      devices: {
        microphone: {
          kind: 'lost',
          problem: 'There is no microphone on this machine: connect one.',
          why: 'noMicrophone',
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
      troubles: [
        { sentence: 'step 12: out of memory', code: 'inference_error' },
        { sentence: 'This frame is no JSON.', code: 'malformed' },
        { sentence: 'The disk is full. There is a gap.', code: 'tape', why: 'tapeGap' },
      ],
      problem: { sentence: 'There is no talk; start one first.', why: 'noTalk' },
    }),
  },
  'live-hostile': { view: liveWith({ captions: hostileTurns }) },
  'live-long': {
    view: (language) => ({
      ...live(language),
      captions: Array.from({ length: 200 }, (_, turn) => ({
        ...(sampleTurns(language)[turn % 2 === 0 ? 0 : 1] ?? hostileTurns[0]),
        turn,
      })) as UiState['captions'],
    }),
  },
  reconnecting: {
    view: () =>
      at({
        phase: 'reconnecting',
        attempt: 2,
        inMs: 4000,
        reason: 'The connection was lost. Parley connects again.',
        ending: { reason: 'connection_lost' },
      }),
  },
  ending: { view: () => at({ phase: 'ending' }) },
  'ended-by-you': ended(
    { reason: 'user_stop', by: 'client', message: 'You ended the conversation.' },
    'none',
  ),
  'ended-after-words': {
    view: (language) => ({
      ...at({
        phase: 'ended',
        ending: {
          reason: 'timeout',
          by: 'server',
          message: 'The server ends every talk after ten minutes.',
          orderly: true,
        },
        offer: 'continue',
      }),
      captions: sampleTurns(language),
    }),
  },
  'ended-context': ended(
    { reason: 'context_full', by: 'server', message: 'The model can hold no more of this talk.' },
    'continue',
  ),
  'ended-network': ended(
    {
      reason: 'connection_lost',
      by: 'network',
      message: 'The server did not answer for two minutes. Check the network and try again.',
    },
    'retry',
  ),
  'ended-endpoint': ended(
    {
      reason: 'unreachable',
      by: 'network',
      why: { is: 'nothingListens', server: 'talk.example:8006' },
      message: 'No server answers at wss://talk.example:8006. Check its address.',
    },
    'checkEndpoint',
  ),
  'ended-token': ended(
    {
      reason: 'refused',
      by: 'server',
      status: 401,
      said: 'token expired',
      message: 'The server refused with 401. Check the access token of this server.',
    },
    'checkToken',
  ),
  'ended-for-good': ended(
    { reason: 'too_large', by: 'server', message: 'The server ended the talk.' },
    'none',
  ),
};
