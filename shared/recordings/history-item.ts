import type { DuplexMode } from '../protocol/realtime-api.ts';
import type { TalkRecord } from './talk-record.ts';

export const historyKinds = ['talk', 'chat'] as const;

export type HistoryKind = (typeof historyKinds)[number];

/** Names one of the history: a talk, or a written conversation. */
export interface HistoryRef {
  readonly kind: HistoryKind;
  readonly id: string;
}

interface ItemBase {
  readonly id: string;
  /** The person's own; empty where they gave it none. */
  readonly title: string;
  /** How it begins, for want of a title; empty where nothing was said in words. */
  readonly firstWords: string;
  /** When a talk began, when something was last written: milliseconds since 1970. */
  readonly at: number;
  readonly pinned: boolean;
  readonly pictures: number;
}

export interface TalkItem extends ItemBase {
  readonly kind: 'talk';
  readonly mode: DuplexMode;
  readonly seconds: number;
  readonly server: string;
  /** `cut` where a crash or a kill ended it; `goesOn` while it does, here or in another Parley. */
  readonly ending: 'orderly' | 'trouble' | 'cut' | 'goesOn';
  /** Its tape is kept, under the same id. */
  readonly tape: boolean;
}

export interface ChatItem extends ItemBase {
  readonly kind: 'chat';
}

export type HistoryItem = TalkItem | ChatItem;

/** Where something was found, and the words around it. */
export interface FoundPlace {
  readonly excerpt: string;
  /** From which letter of the excerpt to which what was looked for stands. */
  readonly marks: readonly { readonly from: number; readonly to: number }[];
  /** Of a talk: which of its turns. Missing where it was found in the title. */
  readonly turn?: number | undefined;
  /** Of a written conversation: the id of the turn. */
  readonly chatTurn?: string | undefined;
}

export interface HistoryHit {
  readonly item: HistoryItem;
  readonly place: FoundPlace;
}

/** What is to be listed; what is left out does not matter. */
export interface HistoryFilter {
  readonly kind?: HistoryKind | undefined;
  readonly pinned?: true | undefined;
  readonly tape?: true | undefined;
}

/** A part of the list, the newest first; pinned ones stand among the others and say so. */
export interface HistoryPage<Entry = HistoryItem> {
  readonly entries: readonly Entry[];
  /** How many there are in all. */
  readonly total: number;
  /** While the folders are still being read there may be more. */
  readonly complete: boolean;
}

/** How much is kept of a kind, and where. */
export interface HistorySize {
  readonly kind: HistoryKind | 'tape';
  readonly place: string;
  readonly count: number;
  readonly bytes: number;
}

const titleLetters = 80;

/** What a talk is called: by the person, or else by what was said first; empty where nothing was. */
export function recordTitle({ title, turns }: TalkRecord): string {
  if (title.trim() !== '') return title;
  const first = turns.find(({ text }) => text.trim() !== '')?.text.trim() ?? '';
  const letters = Array.from(first.replaceAll(/\s+/gu, ' '));
  return letters.length <= titleLetters
    ? letters.join('')
    : `${letters.slice(0, titleLetters).join('')}…`;
}
