import type { AppError, ErrorCode } from '../../shared/errors/app-error.ts';
import {
  withPhrase,
  type TalkLimits,
  idleTalkView,
  noSpokenTurns,
  updateSpokenTurns,
  withTask,
  type TalkView,
} from '../../shared/talk/talk-view.ts';
import {
  applyChatPatch,
  applyClipRecording,
  type ChatNote,
  withChatNote,
} from '../chat/chat-ui-state.ts';
import { applyRerunProgress } from '../compare/compare-store.ts';
import {
  applyReplayChanged,
  applyReplayedNotices,
  withOpenReplay,
} from '../replay/replay-actions.ts';
import {
  applyMicrophoneMeter,
  applyRoomStep,
  applySoundDevices,
  applyVoicePreview,
  applyVoiceRecording,
  inSettings,
} from '../settings/settings-ui-state.ts';
import { noTyping, patchTurns } from '../talk/talk-ui-state.ts';
import type { BridgeNotice } from './bridge/ordered-bridge.ts';
import type { UiState } from './ui-state.ts';

const maxTalkErrors = 3;

type NoticeReducer<Name extends BridgeNotice['name']> = (
  view: UiState,
  payload: Extract<BridgeNotice, { name: Name }>['payload'],
  now: number,
) => Partial<UiState>;

/** For notices that do not change the UI state. `npm run check` verifies that another listener handles each. */
const noChange = (): Partial<UiState> => ({});

/** Reducers by notice; a missing one does not compile. */
const reducers: { readonly [Name in BridgeNotice['name']]: NoticeReducer<Name> } = {
  settingsChanged: (_view, settings) => ({ settings }),
  settingsProblem: ({ standingProblems }, problem) => ({
    problem,
    standingProblems: [...standingProblems, problem],
  }),
  problemOver: ({ problem, standingProblems: before, chat }, { code }) => {
    const standingProblems = before.filter((other) => other.code !== code);
    return {
      problem: problem?.code === code ? standingProblems.at(-1) : problem,
      standingProblems,
      chat: { ...chat, notes: chat.notes.filter((note) => !isAbout(note, code)) },
    };
  },
  microphoneMeter: inSettings(applyMicrophoneMeter),
  roomStep: inSettings(applyRoomStep),
  soundDevicesChanged: inSettings(applySoundDevices),
  voiceRecording: inSettings(applyVoiceRecording),
  voicesChanged: inSettings((_settingsUi, voices) => ({ voices })),
  voicePreview: inSettings(applyVoicePreview),
  libraryChecked: ({ libraries }, report) => ({
    libraries: { ...libraries, [report.library]: report },
  }),
  // Posted for a new talk, and again, with `session`, for each session that the server creates for it.
  talkBegan: ({ standingProblems }, facts) =>
    facts.session === undefined
      ? { ...newTalkState, problem: standingProblems.at(-1), facts }
      : { facts },
  talkState: ({ liveSince }, value, at) => ({
    talkState: { value, at },
    ...(value.phase === 'ended' ? { liveSince: undefined } : { isEndedDismissed: false }),
    // An earlier warning is about the previous session.
    ...(value.phase === 'live' ? { warning: undefined, liveSince: liveSince ?? at } : {}),
  }),
  talkControls: (_view, controls) => ({ controls }),
  floor: ({ spoken, captions }, floor, now) => ({
    floor,
    spoken: updateSpokenTurns(spoken, floor, captions.at(-1)?.turn, now),
  }),
  caption: ({ captions }, patch) => ({ captions: patchTurns(captions, [patch]) }),
  talkLimits: ({ warning }, value, at) => ({
    limits: { value, at },
    ...(isOutdated(warning, value) && { warning: undefined }),
  }),
  talkWarning: (_view, warning) => ({ warning }),
  talkOnlyListens: (_view, onlyListening) => ({ onlyListening }),
  talkDevices: (_view, devices) => ({ devices }),
  talkCapture: (_view, talkCapture) => ({ talkCapture }),
  computerSound: (_view, computerSound) => ({ computerSound }),
  talkStorage: (_view, storage) => ({ storage }),
  historyChanged: noChange,
  userPhrase: ({ userTranscript }, phrase) => ({
    userTranscript: { ...userTranscript, phrases: withPhrase(userTranscript.phrases, phrase) },
  }),
  userTranscriptStatus: ({ userTranscript }, status) => ({
    userTranscript: { ...userTranscript, status },
  }),
  toolTask: ({ toolTasks }, task) => ({
    toolTasks: withTask(toolTasks, task),
  }),
  exportProgress: ({ exporting }, { fraction }) =>
    exporting?.step.kind === 'working'
      ? { exporting: { ...exporting, step: { ...exporting.step, fraction } } }
      : {},
  talkTrouble: ({ talkErrors }, trouble) => ({ talkErrors: withTalkError(talkErrors, trouble) }),
  replayChanged: applyReplayChanged,
  replayTimeline: (view, timeline) => withOpenReplay(view, () => ({ timeline })),
  replayPlay: (view, play) => withOpenReplay(view, () => ({ play })),
  replayScene: (view, scene) => withOpenReplay(view, () => ({ scene })),
  replayed: applyReplayedNotices,
  rerunProgress: applyRerunProgress,
  globalKeyChanged: (_view, globalKey) => ({ globalKey }),
  windowsShown: (_view, windows) => ({ windows }),
  linkChanged: (_view, openedLink) => ({ openedLink }),
  toolsChanged: (_view, toolsView) => ({ toolsView }),
  updatesChanged: (_view, updates) => ({ updates }),
  memorySent: (_view, memorySent) => ({ memorySent }),
  memoryChanged: (_view, memory) => ({ memory }),
  talkPassagesChanged: (_view, talkPassages) => ({ talkPassages }),
  modelChanged: (_view, localModel) => ({ localModel }),
  placeWanted: ({ settingsUi }, { screen, section, report, guide }) => ({
    ...(screen === undefined ? {} : { screen }),
    ...(guide === true ? { guide: { search: '' } } : {}),
    ...(report === true
      ? { reporting: { source: { kind: 'last' }, step: { kind: 'making' } } }
      : {}),
    ...(section === undefined ? {} : { settingsUi: { ...settingsUi, section, searchText: '' } }),
  }),
  frameSent: (_view, sentFrame) => ({ sentFrame }),
  frameCounted: ({ sentFrame }, { at, tokens, slices }) =>
    sentFrame?.facts.at === at
      ? {
          sentFrame: { ...sentFrame, facts: { ...sentFrame.facts, tokens, slices, counted: true } },
        }
      : {},
  chatPatch: ({ chat, window }, patch) =>
    window === 'cursor' ? {} : { chat: applyChatPatch(chat, patch) },
  chatList: ({ chat }, list) => ({ chat: { ...chat, list } }),
  chatProblem: ({ chat }, error) => ({
    chat: { ...chat, notes: withChatNote(chat.notes, { kind: 'failure', error }) },
  }),
  clipRecording: ({ chat }, event) => ({ chat: applyClipRecording(chat, event) }),
  quickChanged: (_view, quick) => ({ quick }),
  quickPatch: ({ chat, window }, patch) => {
    if (window !== 'cursor') return {};
    // The draft, and the passages that were found for it, belong to the conversation before.
    const isNewConversation =
      patch.kind === 'replaced' && patch.conversation.id !== chat.conversation?.id;
    const patched = applyChatPatch(chat, patch);
    return { chat: isNewConversation ? { ...patched, foundPast: [], drafts: {} } : patched };
  },
  dictationLevel: noChange,
  level: noChange,
  replayLevel: noChange,
  replayWire: noChange,
  talkStep: (view, { echo }) => (view.echo === echo ? {} : { echo }),
  wire: noChange,
};

export function applyNotice(
  view: UiState,
  { name, payload }: BridgeNotice,
  now: number,
): Partial<UiState> {
  // A newer core may post notices that this page does not know.
  const reduce = reducers[name] as NoticeReducer<typeof name> | undefined;
  return reduce?.(view, payload, now) ?? {};
}

/** State of the current talk, for a page that connects during it. */
export function applyTalkSnapshot(talk: TalkView, now: number): Partial<UiState> {
  return {
    talkState: { value: talk.state, at: now },
    facts: talk.talk,
    liveSince: talk.liveMs === undefined ? undefined : now - talk.liveMs,
    talkCapture: talk.capture,
    computerSound: talk.computerSound,
    controls: talk.controls,
    floor: talk.floor,
    devices: talk.devices,
    limits: talk.limits === undefined ? undefined : { value: talk.limits, at: now },
    storage: talk.storage,
    spoken: updateSpokenTurns(
      { ...noSpokenTurns, turns: talk.spoken ?? [] },
      talk.floor,
      talk.captions.at(-1)?.turn,
      now,
    ),
    captions: talk.captions,
    userTranscript: talk.userTranscript,
    toolTasks: talk.tasks,
  };
}

const newTalkState: Partial<UiState> = {
  captions: [],
  liveSince: undefined,
  userTranscript: idleTalkView.userTranscript,
  toolTasks: [],
  writesTask: false,
  spoken: noSpokenTurns,
  typing: noTyping,
  limits: undefined,
  warning: undefined,
  onlyListening: undefined,
  talkErrors: [],
  sentFrame: undefined,
};

/** Whether the warning is outdated: more time is left than it said, or the server prunes its context. */
function isOutdated(
  warning: UiState['warning'],
  { seconds = Infinity, tokenSeconds = Infinity, pruning }: TalkLimits,
): boolean {
  if (warning === undefined) return false;
  if (warning.limit === 'context' && pruning) return true;
  return Math.min(seconds, tokenSeconds) > warning.secondsLeft + 1;
}

function isAbout(note: ChatNote, code: ErrorCode): boolean {
  return note.kind === 'failure' && note.error.code === code;
}

function withTalkError(errors: readonly AppError[], error: AppError): readonly AppError[] {
  const key = JSON.stringify(error);
  const others = errors.filter((other) => JSON.stringify(other) !== key);
  return [...others, error].slice(-maxTalkErrors);
}
