import type { AppError } from '../../shared/errors/app-error.ts';
import type {
  FoundPlace,
  HistoryFilter,
  HistoryItem,
  HistorySize,
} from '../../shared/recordings/history-item.ts';
import type { OpenedTalkRecord } from '../../shared/recordings/talk-record.ts';

export const historyFilters = {
  all: {},
  talk: { kind: 'talk' },
  chat: { kind: 'chat' },
  pinned: { pinned: true },
  tape: { tape: true },
} as const satisfies Readonly<Record<string, HistoryFilter>>;
export type HistoryShow = keyof typeof historyFilters;

export interface HistoryUiState {
  readonly query: string;
  readonly show: HistoryShow;
  /** Undefined until the core has sent it. */
  readonly listed: ListedHistory | undefined;
  readonly opened: OpenedTalk | undefined;
  /** The latest talks, for the idle screen. */
  readonly recent: readonly HistoryItem[] | undefined;
  /** Keys of the selected entries; undefined outside selection mode. */
  readonly selection: ReadonlySet<string> | undefined;
  readonly sizes: readonly HistorySize[];
  /** The path of a folder that the host could not open. */
  readonly folder: string | undefined;
  readonly problem: AppError | undefined;
}

/** The loaded part of the list. */
export interface ListedHistory {
  readonly entries: readonly HistoryEntry[];
  readonly total: number;
  readonly complete: boolean;
  /** The query that this list answers; it stays until the next result arrives. */
  readonly query: string;
  readonly show: HistoryShow;
}

export interface HistoryEntry {
  readonly item: HistoryItem;
  readonly place?: FoundPlace | undefined;
}

/** The open talk, and the turn to scroll to. */
export interface OpenedTalk {
  readonly id: string;
  readonly turn: number | undefined;
  readonly talk: OpenedTalkRecord | undefined;
  readonly error: AppError | undefined;
}

export const initialHistoryUiState: HistoryUiState = {
  query: '',
  show: 'all',
  listed: undefined,
  opened: undefined,
  recent: undefined,
  selection: undefined,
  sizes: [],
  folder: undefined,
  problem: undefined,
};
