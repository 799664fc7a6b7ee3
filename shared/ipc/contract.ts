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
import { type CursorNotices, cursorRequests } from './cursor-ipc.ts';
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
import { type MemoryNotices, memoryRequests } from './memory-ipc.ts';
import { type ModelNotices, modelRequests } from './model-ipc.ts';
import type { Handler, RequestDefinition, SignaturesOf } from './request-definition.ts';
import { type SettingsNotices, settingsRequests } from './settings-ipc.ts';
import {
  type GlobalKeyNotices,
  globalKeyRequests,
  type ToolTaskNotices,
  toolTaskRequests,
  type UserTranscriptNotices,
  userTranscriptRequests,
  type TalkNotices,
  talkRequests,
} from './talk-ipc.ts';
import { type ToolNotices, toolRequests } from './tools-ipc.ts';
import { type VisionNotices, visionRequests } from './vision-ipc.ts';

/** All requests. They use zod, so a page imports only their types. */
export const requests = {
  ...programRequests,
  ...talkRequests,
  ...userTranscriptRequests,
  ...toolTaskRequests,
  ...globalKeyRequests,
  ...visionRequests,
  ...soundRequests,
  ...roomRequests,
  ...voiceRequests,
  ...modelRequests,
  ...chatRequests,
  ...cursorRequests,
  ...memoryRequests,
  ...toolRequests,
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

/** Notices that the core posts to all pages. */
export interface Notices
  extends
    ProgramNotices,
    TalkNotices,
    UserTranscriptNotices,
    ToolTaskNotices,
    GlobalKeyNotices,
    VisionNotices,
    SoundNotices,
    VoiceNotices,
    ModelNotices,
    ChatNotices,
    CursorNotices,
    MemoryNotices,
    ToolNotices,
    SettingsNotices,
    HistoryNotices,
    ReplayNotices,
    CompareNotices,
    ExportNotices,
    LinkNotices,
    UpdateNotices,
    WireNotices,
    WindowNotices {}

/** An interface, so that the compiler evaluates it once and can index it by a type parameter. */
interface Signatures extends SignaturesOf<typeof requests> {}

export type RequestName = keyof typeof requests;
export type RequestInput<Name extends RequestName> = Signatures[Name]['input'];
export type RequestValue<Name extends RequestName> = Signatures[Name]['value'];

export type NamedRequest = {
  readonly [Name in RequestName]: { readonly name: Name; readonly input: RequestInput<Name> };
}[RequestName];

export type Handlers = {
  readonly [Name in RequestName]: Handler<RequestInput<Name>, RequestValue<Name>>;
};

export type NoticeName = keyof Notices;

/** A union, so that a listener can switch on `name`. */
export type Notice = {
  readonly [Name in NoticeName]: { readonly name: Name; readonly payload: Notices[Name] };
}[NoticeName];

/** Posts to every page. */
export type PostNotice = <Name extends NoticeName>(name: Name, payload: Notices[Name]) => void;

export function isRequestName(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(requests, name);
}

/** Requests whose value pages keep a copy of. Notices report changes to it. */
export type SnapshotName = {
  [Name in RequestName]: (typeof requests)[Name]['changedBy'] extends readonly never[]
    ? never
    : Name;
}[RequestName];

export function isSnapshotName(name: RequestName): name is SnapshotName {
  return requests[name].changedBy.length > 0;
}

const snapshotsByNotice = new Map<string, SnapshotName>(
  (Object.keys(requests) as RequestName[])
    .filter(isSnapshotName)
    .flatMap((name) => requests[name].changedBy.map((notice) => [notice, name] as const)),
);

/** The snapshot that a notice changes. */
export function snapshotChangedBy(notice: NoticeName): SnapshotName | undefined {
  return snapshotsByNotice.get(notice);
}
