import {
  noUpdates,
  type About,
  type FirstStepsStatus,
  type OpenedLink,
  type NativeLibraryName,
  type NativeLibraryReport,
  type RecoveryNote,
  type VisibleWindows,
  type UpdateView,
} from '../../shared/app/program.ts';
import { closedQuick, type QuickState } from '../../shared/cursor/quick-view.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { computerProfile } from '../../shared/settings/connection-settings.ts';
import type { LocalModelState, ModelPace } from '../../shared/model/local-model-state.ts';
import {
  noTalkPassages,
  type MemorySent,
  type MemoryView,
  type TalkPassagesView,
} from '../../shared/memory/memory-view.ts';
import type { ReplayStop, ReplayView } from '../../shared/recordings/replay-view.ts';
import {
  idleTalkView,
  type TalkStorageState,
  type ComputerSoundState,
  type ToolTask,
  type TalkInfo,
  type CaptionedTurn,
  type UserTranscript,
  type Floor,
  isTalkOver,
  type TalkControls,
  type TalkDeviceStates,
  type TalkLimits,
  type TalkState,
  type TalkWarning,
  noSpokenTurns,
  type SpokenTurns,
} from '../../shared/talk/talk-view.ts';
import type { RedactedSettings } from '../../shared/settings/settings.ts';
import type { GlobalKeyView } from '../../shared/talk/global-key.ts';
import type { EchoState, OnlyListeningNote } from '../../shared/talk/talk-stats.ts';
import { noTools, type FoundServerFile, type ToolsView } from '../../shared/tools/tools-view.ts';
import type { VisionFrame } from '../../shared/vision/vision-frame.ts';
import type { OpenCapture } from '../../shared/vision/vision-options.ts';
import type { CaptureView } from '../capture/capture-controller.ts';
import { initialVisionUiState, type VisionUiState } from '../capture/vision-ui-state.ts';
import { type ChatUiState, initialChatUiState } from '../chat/chat-ui-state.ts';
import type { CompareUiState } from '../compare/compare-store.ts';
import type { ExportUiState } from '../export/export-store.ts';
import { type HistoryUiState, initialHistoryUiState } from '../history/history-ui-state.ts';
import type { ReportUiState } from '../report/report-store.ts';
import { initialSettingsUiState, type SettingsUiState } from '../settings/settings-ui-state.ts';
import { noTyping, type TypingState } from '../talk/talk-ui-state.ts';
import type { BridgeConnection } from './bridge/ordered-bridge.ts';
import { defaultPageStyle, type PageStyle } from './page-style.ts';

export const screenNames = ['talk', 'chat', 'history', 'settings'] as const;
/** Screens in the navigation. */
export type NavScreenName = (typeof screenNames)[number];
/** A replay covers the screen from which it was opened. */
export type ScreenName = NavScreenName | 'replay';
export type NativeLibraryView =
  /** The connected core has not checked the library. */
  | { readonly state: 'unasked' }
  | { readonly state: 'checking' }
  | { readonly state: 'unknown' }
  | NativeLibraryReport;

/** A value with the time at which the page received it, for countdowns. */
export interface Timestamped<Value> {
  readonly value: Value;
  readonly at: number;
}

/** State of all screens. Values that change many times a second bypass it; see the levels of `AppContext`. */
export interface UiState {
  readonly window: 'main' | 'mini' | 'cursor' | 'region';
  /** Undefined in a browser, and until the page has read it. */
  readonly windows: VisibleWindows | undefined;
  readonly screen: ScreenName;
  /** Why the page was reloaded; until dismissed. */
  readonly recovery: RecoveryNote | undefined;
  /** A `parley://` link that waits for the user's decision. */
  readonly openedLink: OpenedLink | undefined;
  readonly updates: UpdateView;
  /** Empty until the shell has read it from the core. */
  readonly toolsView: ToolsView;
  /** Tool servers in the files of other programs; undefined until the user searches for them. */
  readonly foundServers: readonly FoundServerFile[] | undefined;
  /** Undefined until the page has read it or the core has posted it. */
  readonly localModel: LocalModelState | undefined;
  /** Undefined until the page has read it or the core has posted it. */
  readonly memory: MemoryView | undefined;
  readonly talkPassages: TalkPassagesView;
  /** The memory that the newest request carried; undefined until a request carried some. */
  readonly memorySent: MemorySent | undefined;
  /** The cached style until the settings arrive. */
  readonly pageStyle: PageStyle;
  readonly paletteOpen: boolean;
  readonly shortcutsOpen: boolean;
  readonly guide: { readonly search: string } | undefined;
  readonly inspectorOpen: boolean;
  /** Undefined until the core has sent them. */
  readonly settings: RedactedSettings | undefined;
  /** Written into the page by the host; may be absent. */
  readonly firstSteps: FirstStepsStatus | undefined;
  /** Stays while the user looks at other screens. */
  readonly firstStep: 'language' | 'microphone' | 'server';
  readonly settingsUi: SettingsUiState;
  readonly about: About | undefined;
  readonly connection: BridgeConnection;
  readonly libraries: Readonly<Record<NativeLibraryName, NativeLibraryView>>;
  /** The last deletion until it is complete; lists hide these keys. It has a message while it can be undone. */
  readonly removed:
    | { readonly keys: ReadonlySet<string>; readonly message: string | undefined }
    | undefined;
  readonly toast: string | undefined;
  /** The last failed request or problem of the settings. Errors of the talk are in `talkErrors`. */
  readonly problem: AppError | undefined;
  /** Problems of the settings that are not over. The newest is shown again after a later error. */
  readonly standingProblems: readonly AppError[];
  readonly talkState: Timestamped<TalkState>;
  /** The user dismissed the ended talk; the start view is shown. */
  readonly isEndedDismissed: boolean;
  readonly facts: TalkInfo | undefined;
  /** When the talk went live, by the page's clock. */
  readonly liveSince: number | undefined;
  /** The camera or screen for the model, in any window. */
  readonly talkCapture: OpenCapture;
  readonly computerSound: ComputerSoundState;
  readonly controls: TalkControls;
  readonly floor: Floor;
  readonly devices: TalkDeviceStates;
  /** State of the echo canceller at the model's last step. */
  readonly echo: EchoState | undefined;
  /** Undefined until the page has read it or the core has posted it. */
  readonly globalKey: GlobalKeyView | undefined;
  readonly limits: Timestamped<TalkLimits> | undefined;
  readonly warning: TalkWarning | undefined;
  readonly onlyListening: OnlyListeningNote | undefined;
  /** The newest errors of the talk, each until dismissed or the next talk. */
  readonly talkErrors: readonly AppError[];
  /** Oldest first; usually only the last one still changes. */
  readonly captions: readonly CaptionedTurn[];
  readonly userTranscript: UserTranscript;
  /** Tasks for tools in the talk. */
  readonly toolTasks: readonly ToolTask[];
  /** The field in which the user writes a task for tools is open. */
  readonly writesTask: boolean;
  /** When the user spoke. The captions mark these times if there is no transcript. */
  readonly spoken: SpokenTurns;
  readonly typing: TypingState;
  readonly storage: TalkStorageState;
  readonly replay: ReplayView;
  /** The screen to return to when the replay closes. */
  readonly replayFrom: NavScreenName;
  /** The kind of event to which the step keys jump. */
  readonly replayStop: ReplayStop;
  readonly history: HistoryUiState;
  readonly exporting: ExportUiState | undefined;
  readonly comparing: CompareUiState | undefined;
  readonly reporting: ReportUiState | undefined;
  readonly capture: CaptureView;
  readonly visionUi: VisionUiState;
  /** Whether the user froze the picture, so that the model keeps getting the same one. */
  readonly frozen: boolean;
  readonly sentFrame: VisionFrame | undefined;
  /** The Chat screen; in the small window over other programs, that window's own conversation. */
  readonly chat: ChatUiState;
  readonly quick: QuickState;
}

export const allLibraries = (state: 'unasked' | 'checking' | 'unknown'): UiState['libraries'] => ({
  portaudio: { state },
  libvips: { state },
});

export const initialUiState: UiState = {
  window: 'main',
  windows: undefined,
  screen: 'talk',
  recovery: undefined,
  openedLink: undefined,
  updates: noUpdates,
  toolsView: noTools,
  foundServers: undefined,
  localModel: undefined,
  memory: undefined,
  talkPassages: noTalkPassages,
  memorySent: undefined,
  pageStyle: defaultPageStyle,
  paletteOpen: false,
  shortcutsOpen: false,
  guide: undefined,
  inspectorOpen: false,
  settings: undefined,
  firstSteps: undefined,
  firstStep: 'language',
  settingsUi: initialSettingsUiState,
  about: undefined,
  connection: 'connected',
  libraries: allLibraries('unasked'),
  removed: undefined,
  toast: undefined,
  problem: undefined,
  standingProblems: [],
  talkState: { value: idleTalkView.state, at: 0 },
  isEndedDismissed: false,
  facts: undefined,
  liveSince: undefined,
  talkCapture: idleTalkView.capture,
  computerSound: idleTalkView.computerSound,
  controls: idleTalkView.controls,
  floor: idleTalkView.floor,
  devices: idleTalkView.devices,
  echo: undefined,
  globalKey: undefined,
  limits: undefined,
  warning: undefined,
  onlyListening: undefined,
  talkErrors: [],
  captions: [],
  userTranscript: idleTalkView.userTranscript,
  toolTasks: idleTalkView.tasks,
  writesTask: false,
  spoken: noSpokenTurns,
  typing: noTyping,
  replayFrom: 'talk',
  replayStop: 'any',
  storage: idleTalkView.storage,
  replay: { kind: 'none' },
  history: initialHistoryUiState,
  exporting: undefined,
  comparing: undefined,
  reporting: undefined,
  capture: { state: 'off' },
  visionUi: initialVisionUiState,
  frozen: false,
  sentFrame: undefined,
  chat: initialChatUiState,
  quick: closedQuick,
};

const idle: TalkState = { phase: 'idle' };
const connecting: TalkState = { phase: 'connecting' };

/** The talk state to show: a dismissed ended talk counts as idle. */
export function stageState(
  state: Pick<UiState, 'talkState' | 'isEndedDismissed' | 'facts'>,
): TalkState {
  const shown = runningState(state);
  return shown.phase === 'ended' && state.isEndedDismissed ? idle : shown;
}

/** The pace of the model on this computer, if the talk is with it. */
export function computerPace({
  facts,
  localModel,
}: Pick<UiState, 'facts' | 'localModel'>): ModelPace | undefined {
  const server = localModel?.server;
  const isMeasured = facts?.endpoint === computerProfile.name && server?.kind === 'ready';
  return isMeasured ? server.pace : undefined;
}

/** The unfinished task of the talk. */
export const runningTask = ({ toolTasks }: UiState): ToolTask | undefined =>
  toolTasks.find(({ state }) => state === 'writing' || state === 'answering');

/** The talk's state to show. A queue for the model on this computer shows as connecting: nobody else is in it. */
export function runningState({
  talkState: { value },
  facts,
}: Pick<UiState, 'talkState' | 'facts'>): TalkState {
  const isOnThisComputer = facts?.endpoint === computerProfile.name;
  return value.phase === 'queued' && isOnThisComputer ? connecting : value;
}

export function isTalkRunning({ talkState }: Pick<UiState, 'talkState'>): boolean {
  return !isTalkOver(talkState.value.phase);
}

/** Whether an answer waits until the talk leaves the server. A talk in the queue does not have the server. */
export function isAnswerBehindTalk(state: Pick<UiState, 'chat' | 'talkState' | 'facts'>): boolean {
  const { phase } = runningState(state);
  return state.chat.connection.phase === 'queued' && phase !== 'queued' && !isTalkOver(phase);
}

/** Whether the session runs, but the microphone does not yet: Parley would not hear the user now. */
export function isMicrophoneOpening({
  talkState,
  devices,
}: Pick<UiState, 'talkState' | 'devices'>): boolean {
  return talkState.value.phase === 'live' && devices.microphone.kind === 'unknown';
}

/** Before the first words of a live talk: whether Parley hears the user. */
export function listeningText(state: Pick<UiState, 'talkState' | 'devices' | 'controls'>) {
  if (state.controls.paused) return 'talk.captions.paused';
  if (state.controls.muted) return 'talk.captions.muted';
  if (isMicrophoneOpening(state)) return 'talk.microphoneOpening';
  if (state.devices.microphone.kind === 'lost') return 'talk.captions.deaf';
  const isKeyUp = state.controls.talking !== 'open' && !state.controls.passing;
  return isKeyUp ? 'talk.captions.keyUp' : 'talk.captions.none';
}
