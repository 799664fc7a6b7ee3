import type { AppError } from '../../shared/errors/app-error.ts';
import type {
  FoundPlace,
  HistoryFilter,
  HistoryItem,
  HistoryRef,
  HistorySize,
} from '../../shared/recordings/history-item.ts';
import type { OpenedTalkRecord } from '../../shared/recordings/talk-record.ts';

/** Which of the history are listed, each with what the core is asked for. */
export const historyFilters = {
  all: {},
  talk: { kind: 'talk' },
  chat: { kind: 'chat' },
  pinned: { pinned: true },
  tape: { tape: true },
} as const satisfies Readonly<Record<string, HistoryFilter>>;
export type HistoryShow = keyof typeof historyFilters;

/** All that the History screen shows. */
export interface HistoryUiState {
  readonly query: string;
  readonly show: HistoryShow;
  /** None until the core has sent it. */
  readonly listed: ListedHistory | undefined;
  readonly opened: OpenedTalk | undefined;
  /** The last talks, for where one begins the next. */
  readonly recent: readonly HistoryItem[] | undefined;
  /** By their keys, while several are being chosen. */
  readonly chosen: ReadonlySet<string> | undefined;
  readonly sizes: readonly HistorySize[];
  /** Where a folder is that the host could not show. */
  readonly folder: string | undefined;
  /** Why something could not be done. */
  readonly problem: AppError | undefined;
}

/** The beginning of the list, as far as it was looked at. */
export interface ListedHistory {
  readonly entries: readonly HistoryEntry[];
  readonly total: number;
  readonly complete: boolean;
  /** What it is the answer to: it is shown until the next one has come. */
  readonly query: string;
  readonly show: HistoryShow;
}

export interface HistoryEntry {
  readonly item: HistoryItem;
  /** Where the words stand that were looked for. */
  readonly place?: FoundPlace | undefined;
}

/** A talk that is read again, from the turn on where something was found. */
export interface OpenedTalk {
  readonly id: string;
  readonly turn: number | undefined;
  readonly talk: OpenedTalkRecord | undefined;
  /** Why it cannot be shown. */
  readonly error: AppError | undefined;
}

export const initialHistoryUiState: HistoryUiState = {
  query: '',
  show: 'all',
  listed: undefined,
  opened: undefined,
  recent: undefined,
  chosen: undefined,
  sizes: [],
  folder: undefined,
  problem: undefined,
};

/** One name for a talk or a conversation, among all of both. */
export function historyKey({ kind, id }: HistoryRef): string {
  return `${kind} ${id}`;
}
