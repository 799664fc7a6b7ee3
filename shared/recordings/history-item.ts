import type { DuplexMode } from '../protocol/realtime-api.ts';
import type { TalkRecord } from './talk-record.ts';

export const historyKinds = ['talk', 'chat'] as const;

export type HistoryKind = (typeof historyKinds)[number];

export interface HistoryRef {
  readonly kind: HistoryKind;
  readonly id: string;
}

/** A key that is unique across talks and conversations. */
export function historyKey({ kind, id }: HistoryRef): string {
  return `${kind} ${id}`;
}

interface ItemBase {
  readonly id: string;
  readonly title: string;
  /** Shown instead of a title; empty if no words were said. */
  readonly firstWords: string;
  /** When the talk began, or the conversation last changed; milliseconds since 1970. */
  readonly at: number;
  readonly pinned: boolean;
  readonly pictures: number;
}

export interface TalkItem extends ItemBase {
  readonly kind: 'talk';
  readonly mode: DuplexMode;
  readonly seconds: number;
  readonly server: string;
  /** `cut`: ended by a crash or kill. `running`: here or in another instance. */
  readonly ending: 'orderly' | 'trouble' | 'cut' | 'running';
  /** A tape exists under the same id. */
  readonly tape: boolean;
}

export interface ChatItem extends ItemBase {
  readonly kind: 'chat';
}

export type HistoryItem = TalkItem | ChatItem;

/** Excerpt of a match and its position. */
export interface FoundPlace {
  readonly excerpt: string;
  /** Matched ranges within the excerpt. */
  readonly marks: readonly { readonly from: number; readonly to: number }[];
  /** Turn index in a talk; missing for matches in the title. */
  readonly turn?: number | undefined;
  /** Turn id in a written conversation. */
  readonly chatTurn?: string | undefined;
}

export interface HistoryHit {
  readonly item: HistoryItem;
  readonly place: FoundPlace;
}

/** Restricts a list; missing fields match everything. */
export interface HistoryFilter {
  readonly kind?: HistoryKind | undefined;
  readonly pinned?: true | undefined;
  readonly tape?: true | undefined;
}

/** Part of the list, newest first. Pinned items are not moved to the top. */
export interface HistoryPage<Entry = HistoryItem> {
  readonly entries: readonly Entry[];
  readonly total: number;
  /** False while folders are still being scanned. */
  readonly complete: boolean;
}

export interface HistorySize {
  readonly kind: HistoryKind | 'tape';
  readonly place: string;
  readonly count: number;
  readonly bytes: number;
}

const maxTitleCharacters = 80;

/** The user's title, or the first words; may be empty. */
export function recordTitle({ title, turns }: TalkRecord): string {
  if (title.trim() !== '') return title;
  const first = turns.find(({ text }) => text.trim() !== '')?.text.trim() ?? '';
  const characters = Array.from(first.replaceAll(/\s+/gu, ' '));
  return characters.length <= maxTitleCharacters
    ? characters.join('')
    : `${characters.slice(0, maxTitleCharacters).join('')}…`;
}
