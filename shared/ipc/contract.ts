import {
  type LinkNotices,
  linkRequests,
  logRequests,
  privacyRequests,
  type ProgramNotices,
  programRequests,
  type UpdateNotices,
  updateRequests,
  type WindowNotices,
  windowRequests,
  type WireNotices,
  wireRequests,
} from './app-ipc.ts';
import {
  roomRequests,
  type SoundNotices,
  soundRequests,
  type VoiceNotices,
  voiceRequests,
} from './audio-ipc.ts';
import { type ChatNotices, chatRequests } from './chat-ipc.ts';
import {
  type CompareNotices,
  compareRequests,
  type ExportNotices,
  exportRequests,
  type HistoryNotices,
  historyRequests,
  type ReplayNotices,
  replayRequests,
  reportRequests,
} from './recordings-ipc.ts';
import type { Handler, RequestDefinition, SignaturesOf } from './request-definition.ts';
import { type SettingsNotices, settingsRequests } from './settings-ipc.ts';
import {
  type GlobalKeyNotices,
  globalKeyRequests,
  type OwnWordsNotices,
  ownWordsRequests,
  type TalkNotices,
  talkRequests,
} from './talk-ipc.ts';
import { type VisionNotices, visionRequests } from './vision-ipc.ts';

/** Everything that a page may ask of the core. It checks with zod: a page imports only types of it. */
export const requests = {
  ...programRequests,
  ...talkRequests,
  ...ownWordsRequests,
  ...globalKeyRequests,
  ...visionRequests,
  ...soundRequests,
  ...roomRequests,
  ...voiceRequests,
  ...chatRequests,
  ...settingsRequests,
  ...historyRequests,
  ...replayRequests,
  ...compareRequests,
  ...exportRequests,
  ...reportRequests,
  ...privacyRequests,
  ...logRequests,
  ...linkRequests,
  ...updateRequests,
  ...wireRequests,
  ...windowRequests,
} satisfies Readonly<Record<string, RequestDefinition<unknown, unknown, NoticeName>>>;

/** What the core posts to pages without being asked. */
export interface Notices
  extends
    ProgramNotices,
    TalkNotices,
    OwnWordsNotices,
    GlobalKeyNotices,
    VisionNotices,
    SoundNotices,
    VoiceNotices,
    ChatNotices,
    SettingsNotices,
    HistoryNotices,
    ReplayNotices,
    CompareNotices,
    ExportNotices,
    LinkNotices,
    UpdateNotices,
    WireNotices,
    WindowNotices {}

/** An interface, so that the compiler works it out once, and knows it where the name is a parameter. */
interface Signatures extends SignaturesOf<typeof requests> {}

export type RequestName = keyof typeof requests;
export type RequestInput<Name extends RequestName> = Signatures[Name]['input'];
export type RequestValue<Name extends RequestName> = Signatures[Name]['value'];

/** A request as a value, with the input that goes with its name. */
export type NamedRequest = {
  readonly [Name in RequestName]: { readonly name: Name; readonly input: RequestInput<Name> };
}[RequestName];

/** What answers each request. */
export type Handlers = {
  readonly [Name in RequestName]: Handler<RequestInput<Name>, RequestValue<Name>>;
};

export type NoticeName = keyof Notices;

/** A notice with its payload: one union, so that a listener can switch on `name`. */
export type Notice = {
  readonly [Name in NoticeName]: { readonly name: Name; readonly payload: Notices[Name] };
}[NoticeName];

/** Posts a notice to every page. */
export type PostNotice = <Name extends NoticeName>(name: Name, payload: Notices[Name]) => void;

export function isRequestName(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(requests, name);
}

/** What pages keep a copy of: they ask for it whole, and notices tell of changes to it. */
export type SnapshotName = {
  [Name in RequestName]: (typeof requests)[Name]['changes'] extends readonly never[] ? never : Name;
}[RequestName];

export function isSnapshotName(name: RequestName): name is SnapshotName {
  return requests[name].changes.length > 0;
}

const snapshots = new Map<string, SnapshotName>(
  (Object.keys(requests) as RequestName[])
    .filter(isSnapshotName)
    .flatMap((name) => requests[name].changes.map((change) => [change, name] as const)),
);

/** The snapshot that the notice tells of a change to. */
export function snapshotOf(notice: NoticeName): SnapshotName | undefined {
  return snapshots.get(notice);
}
