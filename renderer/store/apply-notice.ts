import type { AppError } from '../../shared/errors/app-error.ts';
import type { ErrorCode } from '../../shared/errors/error-codes.ts';
import { idleTalkView } from '../../shared/talk/talk-view.ts';
import { withPhrase } from '../../shared/talk/own-words.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import type { BridgeNotice } from '../bridge/bridge.ts';
import { withChatNote } from './chat/chat-ui-state.ts';
import type { ChatNote } from './chat/chat-ui-state.ts';
import { applyChatPatch, applyClipRecording } from './chat/apply-chat-patch.ts';
import {
  applyReplayed,
  applyReplayPlay,
  applyReplayScene,
  applyReplayTimeline,
} from './replay/apply-replay-notices.ts';
import { applyRerunProgress } from './compare/compare-ui-state.ts';
import { applyReplayChanged } from './replay/show-replay.ts';
import {
  applySoundDevices,
  applyMicrophoneMeter,
  applyVoicePreview,
  applyVoiceRecording,
  applyVoices,
} from './settings/apply-settings-notices.ts';
import { patchTurns } from './patch-turns.ts';
import type { UiState } from './ui-state.ts';

const maxTroubles = 3;

type NoticeReducer<Name extends BridgeNotice['name']> = (
  view: UiState,
  payload: Extract<BridgeNotice, { name: Name }>['payload'],
  now: number,
) => Partial<UiState>;

/** Changes nothing of the view: whoever hears it says so by name (`npm run check` looks for that). */
const elsewhere = (): Partial<UiState> => ({});

/** What each notice changes of the view. A notice that is not here does not compile. */
const reducers: { readonly [Name in BridgeNotice['name']]: NoticeReducer<Name> } = {
  settingsChanged: (_view, settings) => ({ settings }),
  settingsProblem: (_view, problem) => ({ problem }),
  problemOver: ({ problem, chat }, { code }) => ({
    problem: problem?.code === code ? undefined : problem,
    chat: { ...chat, notes: chat.notes.filter((note) => !isAbout(note, code)) },
  }),
  microphoneMeter: applyMicrophoneMeter,
  soundDevicesChanged: applySoundDevices,
  voiceRecording: applyVoiceRecording,
  voicesChanged: applyVoices,
  voicePreview: applyVoicePreview,
  partChecked: ({ parts }, report) => ({ parts: { ...parts, [report.part]: report } }),
  // Posted once more when the server has admitted the session.
  talkBegan: (_view, facts) =>
    facts.session === undefined ? { ...newTalkState, facts } : { facts },
  // What was warned of before belongs to a session that is over.
  talkState: (_view, value, at) =>
    value.phase === 'live'
      ? { talkState: { value, at }, warning: undefined }
      : { talkState: { value, at } },
  talkControls: (_view, controls) => ({ controls }),
  floor: (_view, floor) => ({ floor }),
  caption: ({ captions }, patch) => ({ captions: patchTurns(captions, [patch]) }),
  talkLimits: (_view, value, at) => ({ limits: { value, at } }),
  talkWarning: (_view, warning) => ({ warning }),
  talkDevices: (_view, devices) => ({ devices }),
  talkKeeping: (_view, keeping) => ({ keeping }),
  historyChanged: elsewhere,
  ownPhrase: ({ ownWords }, phrase) => ({
    ownWords: { ...ownWords, phrases: withPhrase(ownWords.phrases, phrase) },
  }),
  ownWordsStatus: ({ ownWords }, status) => ({ ownWords: { ...ownWords, status } }),
  exportProgress: ({ exporting }, { part }) =>
    exporting?.step.kind === 'working'
      ? { exporting: { ...exporting, step: { ...exporting.step, part } } }
      : {},
  talkTrouble: ({ troubles }, trouble) => ({ troubles: withTrouble(troubles, trouble) }),
  replayChanged: applyReplayChanged,
  replayTimeline: applyReplayTimeline,
  replayPlay: applyReplayPlay,
  replayScene: applyReplayScene,
  replayed: applyReplayed,
  rerunProgress: applyRerunProgress,
  globalKeyChanged: (_view, globalKey) => ({ globalKey }),
  windowsShown: (_view, windows) => ({ windows }),
  linkChanged: (_view, openedLink) => ({ openedLink }),
  placeWanted: ({ settingsUi }, { screen, section, report }) => ({
    screen,
    ...(report === true ? { reporting: { of: { kind: 'last' }, step: { kind: 'making' } } } : {}),
    ...(section === undefined ? {} : { settingsUi: { ...settingsUi, section, searchText: '' } }),
  }),
  frameSent: (_view, sentFrame) => ({ sentFrame }),
  chatPatch: ({ chat }, patch) => ({ chat: applyChatPatch(chat, patch) }),
  chatList: ({ chat }, list) => ({ chat: { ...chat, list } }),
  chatProblem: ({ chat }, error) => ({
    chat: { ...chat, notes: withChatNote(chat.notes, { kind: 'said', error }) },
  }),
  clipRecording: ({ chat }, event) => ({ chat: applyClipRecording(chat, event) }),
  level: elsewhere,
  replayLevel: elsewhere,
  replayWire: elsewhere,
  talkStep: elsewhere,
  wire: elsewhere,
};

export function applyNotice(
  view: UiState,
  { name, payload }: BridgeNotice,
  now: number,
): Partial<UiState> {
  // A core that was renewed while this page stood open may tell what the page does not know.
  const reduce = reducers[name] as NoticeReducer<typeof name> | undefined;
  return reduce?.(view, payload, now) ?? {};
}

/** All of a talk, for a page that comes in the middle of it. */
export function applyTalkSnapshot(talk: TalkView, now: number): Partial<UiState> {
  return {
    talkState: { value: talk.state, at: now },
    facts: talk.talk,
    controls: talk.controls,
    floor: talk.floor,
    devices: talk.devices,
    limits: talk.limits === undefined ? undefined : { value: talk.limits, at: now },
    keeping: talk.keeping,
    captions: talk.captions,
    ownWords: talk.ownWords,
  };
}

const newTalkState: Partial<UiState> = {
  captions: [],
  ownWords: idleTalkView.ownWords,
  limits: undefined,
  warning: undefined,
  troubles: [],
  sentFrame: undefined,
  problem: undefined,
};

function isAbout(note: ChatNote, code: ErrorCode): boolean {
  return note.kind === 'said' && note.error.code === code;
}

function withTrouble(troubles: readonly AppError[], trouble: AppError): readonly AppError[] {
  const key = JSON.stringify(trouble);
  const others = troubles.filter((one) => JSON.stringify(one) !== key);
  return [...others, trouble].slice(-maxTroubles);
}
