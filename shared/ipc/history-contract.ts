import type {
  HistoryFilter,
  HistoryHit,
  HistoryPage,
  HistoryRef,
  HistorySize,
} from '../history/history-item.ts';
import type { OpenedTalkRecord } from '../history/opened-talk-record.ts';
import type { TalkKeeping } from '../history/talk-keeping.ts';
import type { Nothing } from './reply.ts';

/** A part of a list: so many of them, after so many. */
interface Part {
  readonly skip: number;
  readonly count: number;
}

/** What a page may ask of talks and written conversations that are kept. */
export interface HistoryRequests {
  /** The newest first. */
  readonly history: {
    readonly input: Part & { readonly filter: HistoryFilter };
    readonly value: HistoryPage;
  };
  /** Those in which all words stand, each as a word's beginning, the newest first. */
  readonly searchHistory: {
    readonly input: Part & { readonly query: string; readonly filter: HistoryFilter };
    readonly value: HistoryPage<HistoryHit>;
  };
  readonly talkRecord: {
    readonly input: { readonly id: string };
    readonly value: OpenedTalkRecord;
  };
  /** One of the pictures that the record names, a JPEG. */
  readonly talkPicture: {
    readonly input: { readonly id: string; readonly file: string };
    readonly value: { readonly jpeg: Uint8Array };
  };
  readonly renameHistory: {
    readonly input: HistoryRef & { readonly title: string };
    readonly value: Nothing;
  };
  readonly pinHistory: {
    readonly input: HistoryRef & { readonly pinned: boolean };
    readonly value: Nothing;
  };
  /** For good, a talk's tape with it where that is said. What cannot be removed holds up nothing, and is refused at the end. */
  readonly removeHistory: {
    readonly input: { readonly list: readonly HistoryRef[]; readonly tapes: boolean };
    readonly value: Nothing;
  };
  readonly historySizes: { readonly input: Nothing; readonly value: readonly HistorySize[] };
  /** Opens the folder of one, or of all talks, where the host can; where it is, in any case. */
  readonly showHistory: {
    readonly input: { readonly ref?: HistoryRef | undefined };
    readonly value: { readonly path: string; readonly opened: boolean };
  };
  /** Answers the question at the end of a talk, for this talk and for those that follow. */
  readonly keepTalk: { readonly input: { readonly keep: boolean }; readonly value: Nothing };
  /** Makes a tape of the last two minutes of the talk that goes on. */
  readonly keepRecent: { readonly input: Nothing; readonly value: Nothing };
  /** For the talks that begin from now on, until Parley ends; one that goes on stays what it is. */
  readonly setIncognito: { readonly input: { readonly on: boolean }; readonly value: Nothing };
}

export interface HistoryNotices {
  /** The list is another one: what of it is shown is to be asked for anew. Posted twice a second at most. */
  readonly historyChanged: { readonly count: number };
  readonly talkKeeping: TalkKeeping;
}
