import type {
  LinkRequests,
  LogRequests,
  PrivacyRequests,
  UpdateRequests,
  WindowRequests,
  WireRequests,
} from './app-contract.ts';
import type { RoomRequests, SoundRequests, VoiceRequests } from './audio-contract.ts';
import type { ChatRequests } from './chat-contract.ts';
import type { Handlers } from './contract.ts';
import type {
  CompareRequests,
  ExportRequests,
  HistoryRequests,
  ReplayRequests,
  ReportRequests,
} from './recordings-contract.ts';
import type { SettingsRequests } from './settings-contract.ts';
import type { GlobalKeyRequests, OwnWordsRequests } from './talk-contract.ts';

export type ChatHandlers = Pick<Handlers, keyof ChatRequests>;
export type ExportHandlers = Pick<Handlers, keyof ExportRequests>;
export type CompareHandlers = Pick<Handlers, keyof CompareRequests>;
export type ReportHandlers = Pick<Handlers, keyof ReportRequests>;
export type HistoryHandlers = Pick<Handlers, keyof HistoryRequests>;
export type OwnWordsHandlers = Pick<Handlers, keyof OwnWordsRequests>;
export type SettingsHandlers = Pick<Handlers, keyof SettingsRequests>;
export type VoiceHandlers = Pick<Handlers, keyof VoiceRequests>;
export type SoundHandlers = Pick<Handlers, keyof SoundRequests>;
export type RoomHandlers = Pick<Handlers, keyof RoomRequests>;
export type PrivacyHandlers = Pick<Handlers, keyof PrivacyRequests>;
export type LogHandlers = Pick<Handlers, keyof LogRequests>;
export type LinkHandlers = Pick<Handlers, keyof LinkRequests>;
export type WireHandlers = Pick<Handlers, keyof WireRequests>;
export type WindowHandlers = Pick<Handlers, keyof WindowRequests>;
export type UpdateHandlers = Pick<Handlers, keyof UpdateRequests>;
export type ReplayHandlers = Pick<Handlers, keyof ReplayRequests>;
export type GlobalKeyHandlers = Pick<Handlers, keyof GlobalKeyRequests>;

/** What is asked of everything but vision and the spoken conversation. */
export type ControllerHandlers = ChatHandlers &
  HistoryHandlers &
  OwnWordsHandlers &
  ExportHandlers &
  ReportHandlers &
  SettingsHandlers &
  VoiceHandlers &
  SoundHandlers &
  RoomHandlers &
  GlobalKeyHandlers &
  ReplayHandlers &
  CompareHandlers &
  PrivacyHandlers &
  LogHandlers &
  LinkHandlers &
  UpdateHandlers &
  WireHandlers &
  WindowHandlers;
