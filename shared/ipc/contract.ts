import type { About, PartName, PartReport } from '../app/program.ts';
import type {
  FrameCount,
  FrameOutcome,
  OfferedFrame,
  VisionFrame,
} from '../vision/vision-frame.ts';
import type { CapturePermission, CaptureSource, VisionOptions } from '../vision/vision-options.ts';
import type {
  LinkNotices,
  LinkRequests,
  LogRequests,
  PrivacyRequests,
  UpdateNotices,
  UpdateRequests,
  WindowNotices,
  WindowRequests,
  WireNotices,
  WireRequests,
} from './app-contract.ts';
import type {
  RoomRequests,
  SoundNotices,
  SoundRequests,
  VoiceNotices,
  VoiceRequests,
} from './audio-contract.ts';
import type { ChatNotices, ChatRequests } from './chat-contract.ts';
import type { Page } from './page.ts';
import type {
  CompareNotices,
  CompareRequests,
  ExportNotices,
  ExportRequests,
  HistoryNotices,
  HistoryRequests,
  ReplayNotices,
  ReplayRequests,
  ReportRequests,
} from './recordings-contract.ts';
import type { SettingsNotices, SettingsRequests } from './settings-contract.ts';
import type {
  GlobalKeyNotices,
  GlobalKeyRequests,
  OwnWordsNotices,
  OwnWordsRequests,
  TalkNotices,
  TalkRequests,
} from './talk-contract.ts';

/** What the renderer may ask of the main side: a name, its input, its value. */
export interface Requests
  extends
    TalkRequests,
    ReplayRequests,
    CompareRequests,
    GlobalKeyRequests,
    ChatRequests,
    HistoryRequests,
    OwnWordsRequests,
    ExportRequests,
    ReportRequests,
    SettingsRequests,
    VoiceRequests,
    SoundRequests,
    RoomRequests,
    PrivacyRequests,
    LogRequests,
    LinkRequests,
    UpdateRequests,
    WireRequests,
    WindowRequests {
  /** Name, version, host and runtime of the running program. */
  readonly about: { readonly input: undefined; readonly value: About };
  /** Loads the named native parts; each result follows as a `partChecked` notice. */
  readonly checkParts: {
    readonly input: { readonly parts: readonly PartName[] };
    readonly value: { readonly checking: number };
  };
  /** The person switches camera or screen on or off: until then no camera opens and no frame is taken. */
  readonly setCapturePermission: {
    readonly input: CapturePermission;
    readonly value: CapturePermission;
  };
  /** Applied at once, also in the middle of a talk. */
  readonly setVisionOptions: { readonly input: VisionOptions; readonly value: VisionOptions };
  /** One grabbed frame; what became of it is the answer. */
  readonly pushFrame: {
    readonly input: OfferedFrame;
    readonly value: FrameOutcome;
  };
  /** Screens and windows to pick from, where Parley has to offer them itself. */
  readonly shareables: {
    readonly input: { readonly thumbnails: boolean };
    readonly value: { readonly offered: boolean; readonly list: readonly CaptureSource[] };
  };
}

/** What the core posts to pages without being asked. */
export interface Notices
  extends
    TalkNotices,
    ReplayNotices,
    CompareNotices,
    GlobalKeyNotices,
    ChatNotices,
    HistoryNotices,
    OwnWordsNotices,
    ExportNotices,
    SettingsNotices,
    VoiceNotices,
    SoundNotices,
    LinkNotices,
    UpdateNotices,
    WireNotices,
    WindowNotices {
  readonly partChecked: PartReport;
  /** The very frame that has gone to the model. */
  readonly frameSent: VisionFrame;
  readonly frameCounted: FrameCount;
}

export type RequestName = keyof Requests;
export type RequestInput<Name extends RequestName> = Requests[Name]['input'];
export type RequestValue<Name extends RequestName> = Requests[Name]['value'];

export type NoticeName = keyof Notices;

/** A notice with its payload: one union, so that a listener can switch on `name`. */
export type Notice = {
  readonly [Name in NoticeName]: { readonly name: Name; readonly payload: Notices[Name] };
}[NoticeName];

/** One function per request. The type makes a missing or an extra one a compile error. */
export type Handlers = {
  readonly [Name in RequestName]: (
    input: RequestInput<Name>,
    page: Page,
  ) => RequestValue<Name> | Promise<RequestValue<Name>>;
};

const everyRequest: Readonly<Record<RequestName, true>> = {
  about: true,
  checkParts: true,
  showLogs: true,
  setCapturePermission: true,
  setVisionOptions: true,
  pushFrame: true,
  shareables: true,
  talk: true,
  startTalk: true,
  endTalk: true,
  continueTalk: true,
  interruptTalk: true,
  networkBack: true,
  talkKey: true,
  setTalking: true,
  setMuted: true,
  setCoughMuted: true,
  setPaused: true,
  replay: true,
  openReplay: true,
  playReplay: true,
  pauseReplay: true,
  setReplaySpeed: true,
  seekReplay: true,
  seekReplayWord: true,
  stepReplay: true,
  replayPicture: true,
  closeReplay: true,
  comparableTapes: true,
  compareTapes: true,
  rerunTape: true,
  stopRerun: true,
  globalKey: true,
  testGlobalKey: true,
  retryGlobalKey: true,
  chat: true,
  searchChats: true,
  sendChat: true,
  stopChat: true,
  retryChat: true,
  goOnChat: true,
  editChat: true,
  removeChatTurn: true,
  chooseChatBranch: true,
  setChatOptions: true,
  playChat: true,
  silenceChat: true,
  beginChat: true,
  openChat: true,
  renameChat: true,
  pinChat: true,
  removeChat: true,
  attachFile: true,
  forgetAttachment: true,
  chatMedia: true,
  recordClip: true,
  attachClip: true,
  cancelClip: true,
  history: true,
  searchHistory: true,
  talkRecord: true,
  talkPicture: true,
  renameHistory: true,
  pinHistory: true,
  removeHistory: true,
  historySizes: true,
  showHistory: true,
  exportOffer: true,
  exportFile: true,
  stopExport: true,
  showSaved: true,
  prepareReport: true,
  saveReport: true,
  dropReport: true,
  keepTalk: true,
  keepRecent: true,
  setIncognito: true,
  correctOwnWords: true,
  writeOwnWordsAgain: true,
  writeTapeWords: true,
  settings: true,
  changeSettings: true,
  resetSettings: true,
  putEndpoint: true,
  removeEndpoint: true,
  setToken: true,
  forgetToken: true,
  setProxy: true,
  forgetProxyLogin: true,
  tokenStorage: true,
  serverMemory: true,
  testEndpoint: true,
  voices: true,
  importVoice: true,
  renameVoice: true,
  removeVoice: true,
  recordVoice: true,
  saveRecordedVoice: true,
  cancelVoiceRecording: true,
  previewVoice: true,
  stopVoicePreview: true,
  soundDevices: true,
  watchSoundDevices: true,
  testSound: true,
  recordOwnSound: true,
  playOwnSound: true,
  forgetOwnSound: true,
  testRoom: true,
  speakInRoom: true,
  keepRoom: true,
  forgetRoom: true,
  meterMicrophone: true,
  storedData: true,
  deleteStoredData: true,
  openedLink: true,
  dismissLink: true,
  updates: true,
  checkForUpdates: true,
  fetchUpdate: true,
  switchVersion: true,
  updateSeen: true,
  watchWire: true,
  windows: true,
  showMini: true,
  closeMini: true,
  showMain: true,
  quit: true,
};

export function isRequestName(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(everyRequest, name);
}

/** Posts a notice to every page. */
export type PostNotice = <Name extends NoticeName>(name: Name, payload: Notices[Name]) => void;

/** Of what is asked for whole: the notices that tell of its changes. */
export const snapshotNotices = {
  settings: ['settingsChanged', 'settingsProblem', 'problemOver'],
  talk: [
    'talkBegan',
    'talkState',
    'talkControls',
    'talkDevices',
    'talkLimits',
    'floor',
    'caption',
    'talkKeeping',
    'talkCapture',
    'ownPhrase',
    'ownWordsStatus',
  ],
  replay: ['replayChanged', 'replayTimeline', 'replayPlay', 'replayScene', 'replayed'],
  globalKey: ['globalKeyChanged'],
  windows: ['windowsShown'],
  openedLink: ['linkChanged'],
  updates: ['updatesChanged'],
  soundDevices: ['soundDevicesChanged'],
  voices: ['voicesChanged'],
  chat: ['chatPatch', 'chatList'],
  history: ['historyChanged'],
} as const satisfies { readonly [Name in RequestName]?: readonly NoticeName[] };

export type SnapshotName = keyof typeof snapshotNotices;

/** Whether the notice tells of a change of that. */
export function isNoticeOf(snapshot: SnapshotName, notice: NoticeName): boolean {
  const names: readonly NoticeName[] = snapshotNotices[snapshot];
  return names.includes(notice);
}

export function isSnapshotName(name: RequestName): name is SnapshotName {
  return Object.hasOwn(snapshotNotices, name);
}
