import type { ChatRequests } from '../../shared/ipc/chat-contract.ts';
import type { ExportRequests } from '../../shared/ipc/export-contract.ts';
import type { CompareRequests } from '../../shared/ipc/compare-contract.ts';
import type { ReportRequests } from '../../shared/ipc/report-contract.ts';
import type { HistoryRequests } from '../../shared/ipc/history-contract.ts';
import type { OwnWordsRequests } from '../../shared/ipc/own-words-contract.ts';
import type { Handlers } from '../../shared/ipc/contract.ts';
import type {
  LogRequests,
  LinkRequests,
  PrivacyRequests,
  WindowRequests,
  WireRequests,
} from '../../shared/ipc/app-contract.ts';
import type { SettingsRequests } from '../../shared/ipc/settings-contract.ts';
import type { RoomRequests, SoundRequests } from '../../shared/ipc/sound-contract.ts';
import type { VoiceRequests } from '../../shared/ipc/voices-contract.ts';
import type { GlobalKeyRequests } from '../../shared/ipc/global-key-contract.ts';
import type { ReplayRequests } from '../../shared/ipc/replay-contract.ts';
import type { UpdateRequests } from '../../shared/ipc/update-contract.ts';

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
