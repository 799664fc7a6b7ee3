import type {
  About,
  FirstStepsStatus,
  OpenedLink,
  PartName,
  PartReport,
  RecoveryNote,
  VisibleWindows,
} from '../../shared/app/program.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { ReplayStop, ReplayView } from '../../shared/recordings/replay-view.ts';
import type { TalkKeeping } from '../../shared/recordings/talk-keeping.ts';
import type { RedactedSettings } from '../../shared/settings/redacted-settings.ts';
import type { CaptionedTurn } from '../../shared/talk/caption-patch.ts';
import type { GlobalKeyView } from '../../shared/talk/global-key.ts';
import type { OwnWords } from '../../shared/talk/own-words.ts';
import type {
  Floor,
  TalkControls,
  TalkDeviceStates,
  TalkLimits,
  TalkState,
  TalkWarning,
} from '../../shared/talk/talk-state.ts';
import type { EchoState, OnlyListeningNote } from '../../shared/talk/talk-stats.ts';
import { idleTalkView, type TalkInfo } from '../../shared/talk/talk-view.ts';
import { noUpdates, type UpdateView } from '../../shared/updates/update-view.ts';
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
import {
  noSpokenTurns,
  noTyping,
  type SpokenTurns,
  type TypingState,
} from '../talk/talk-ui-state.ts';
import type { BridgeConnection } from './bridge/ordered-bridge.ts';
import { defaultPageStyle, type PageStyle } from './page-style.ts';

export const screenNames = ['talk', 'chat', 'history', 'settings'] as const;
/** Screens in the navigation. */
export type PlaceName = (typeof screenNames)[number];
/** A replay covers the screen from which it was opened. */
export type ScreenName = PlaceName | 'replay';
export type NativePartView =
  /** Not checked in the connected core. */
  | { readonly state: 'unasked' }
  | { readonly state: 'checking' }
  | { readonly state: 'unknown' }
  | PartReport;

/** A value with the time at which the page received it, for countdowns. */
export interface Dated<Value> {
  readonly value: Value;
  readonly at: number;
}

/**
 * State of all screens. Values that change many times a second bypass it; see the levels of
 * `AppContext`.
 */
export interface UiState {
  /** The window that contains this page. */
  readonly window: 'main' | 'mini';
  /** Undefined in a browser. */
  readonly windows: VisibleWindows | undefined;
  readonly screen: ScreenName;
  /** Why the page was reloaded; until dismissed. */
  readonly recovery: RecoveryNote | undefined;
  /** A `parley://` link that waits for the user's decision. */
  readonly openedLink: OpenedLink | undefined;
  readonly updates: UpdateView;
  /** The cached style until the settings arrive. */
  readonly pageStyle: PageStyle;
  readonly paletteOpen: boolean;
  readonly shortcutsOpen: boolean;
  /** The open guide and its search. */
  readonly guide: { readonly search: string } | undefined;
  readonly inspectorOpen: boolean;
  /** Undefined until they arrive. */
  readonly settings: RedactedSettings | undefined;
  /** Written into the page by the host; may be absent. */
  readonly firstSteps: FirstStepsStatus | undefined;
  readonly settingsUi: SettingsUiState;
  readonly about: About | undefined;
  readonly connection: BridgeConnection;
  readonly parts: Readonly<Record<PartName, NativePartView>>;
  /** The last deletion while it can be undone; lists hide these keys. */
  readonly removed: { readonly keys: ReadonlySet<string>; readonly told: string } | undefined;
  /** A short confirmation. */
  readonly told: string | undefined;
  /** The last error outside a talk. */
  readonly problem: AppError | undefined;
  readonly talkState: Dated<TalkState>;
  /** The user dismissed the ended talk; the start view is shown. */
  readonly endedPutAway: boolean;
  readonly facts: TalkInfo | undefined;
  /** When the talk went live, by the page's clock. */
  readonly liveSince: number | undefined;
  /** What is shown to the model, from this window or another one. */
  readonly talkCapture: OpenCapture;
  readonly controls: TalkControls;
  readonly floor: Floor;
  readonly devices: TalkDeviceStates;
  /** What is done about the speaker's echo, as of the talk's latest step. */
  readonly echo: EchoState | undefined;
  /** As far as it was asked for, which is where it is set. */
  readonly globalKey: GlobalKeyView | undefined;
  readonly limits: Dated<TalkLimits> | undefined;
  readonly warning: TalkWarning | undefined;
  readonly onlyListening: OnlyListeningNote | undefined;
  /** The latest ones, each until it is dismissed or the next talk begins. */
  readonly troubles: readonly AppError[];
  /** Oldest first; the last one is alive. */
  readonly captions: readonly CaptionedTurn[];
  readonly ownWords: OwnWords;
  /** When the person spoke, for marks where nothing is written down. */
  readonly spoken: SpokenTurns;
  readonly typing: TypingState;
  readonly keeping: TalkKeeping;
  /** A tape that is played again. */
  readonly replay: ReplayView;
  /** Where the person was when it was opened, and is again when it is closed. */
  readonly replayFrom: PlaceName;
  /** What its steps go to. */
  readonly replayStop: ReplayStop;
  readonly history: HistoryUiState;
  /** A file that is being made of something; none while its sheet is closed. */
  readonly exporting: ExportUiState | undefined;
  /** Where a talk is held against another one. */
  readonly comparing: CompareUiState | undefined;
  /** A report of a problem that is looked at; none while its sheet is closed. */
  readonly reporting: ReportUiState | undefined;
  readonly capture: CaptureView;
  readonly visionUi: VisionUiState;
  readonly frozen: boolean;
  readonly sentFrame: VisionFrame | undefined;
  readonly chat: ChatUiState;
}

export const allNativeParts = (state: 'unasked' | 'checking' | 'unknown'): UiState['parts'] => ({
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
  pageStyle: defaultPageStyle,
  paletteOpen: false,
  shortcutsOpen: false,
  guide: undefined,
  inspectorOpen: false,
  settings: undefined,
  firstSteps: undefined,
  settingsUi: initialSettingsUiState,
  about: undefined,
  connection: 'connected',
  parts: allNativeParts('unasked'),
  removed: undefined,
  told: undefined,
  problem: undefined,
  talkState: { value: idleTalkView.state, at: 0 },
  endedPutAway: false,
  facts: undefined,
  liveSince: undefined,
  talkCapture: idleTalkView.capture,
  controls: idleTalkView.controls,
  floor: idleTalkView.floor,
  devices: idleTalkView.devices,
  echo: undefined,
  globalKey: undefined,
  limits: undefined,
  warning: undefined,
  onlyListening: undefined,
  troubles: [],
  captions: [],
  ownWords: idleTalkView.ownWords,
  spoken: noSpokenTurns,
  typing: noTyping,
  replayFrom: 'talk',
  replayStop: 'any',
  keeping: idleTalkView.keeping,
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
};

const idle: TalkState = { phase: 'idle' };

/** Where the talk stands for the Talk screen: before one, too, where the last one was put away. */
export function stageState({
  talkState: { value },
  endedPutAway,
}: Pick<UiState, 'talkState' | 'endedPutAway'>): TalkState {
  return value.phase === 'ended' && endedPutAway ? idle : value;
}
