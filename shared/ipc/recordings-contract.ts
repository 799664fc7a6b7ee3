import type { WireBatch } from '../protocol/wire-frame.ts';
import type {
  ExportForm,
  ExportOffer,
  ExportOrigin,
  ExportResult,
} from '../recordings/export-form.ts';
import type {
  HistoryFilter,
  HistoryHit,
  HistoryPage,
  HistoryRef,
  HistorySize,
} from '../recordings/history-item.ts';
import type { PreparedReport, ReportOf } from '../recordings/problem-report.ts';
import type { ReplayedNotice, ReplayScene } from '../recordings/replay-scene.ts';
import type {
  FilmTimeline,
  ReplayPlay,
  ReplaySource,
  ReplaySpeedStep,
  ReplayStop,
  ReplayView,
} from '../recordings/replay-view.ts';
import type { TalkKeeping } from '../recordings/talk-keeping.ts';
import type { OpenedTalkRecord } from '../recordings/talk-record.ts';
import type {
  ComparableTape,
  ComparedTapes,
  RerunProgress,
} from '../recordings/tape-comparison.ts';
import type { TalkLevel } from '../talk/talk-view.ts';
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

/** What a page may ask of the replay of a tape. There is one; a talk that begins pauses it. */
export interface ReplayRequests {
  readonly replay: { readonly input: Nothing; readonly value: ReplayView };
  /** Closes what was open; what comes of it is posted as `replayChanged`. */
  readonly openReplay: { readonly input: ReplaySource; readonly value: Nothing };
  /** From its beginning where it had come to its end. Pauses when its page goes. */
  readonly playReplay: { readonly input: Nothing; readonly value: Nothing };
  readonly pauseReplay: { readonly input: Nothing; readonly value: Nothing };
  readonly setReplaySpeed: {
    readonly input: { readonly speed: ReplaySpeedStep };
    readonly value: Nothing;
  };
  /** Milliseconds since the tape began. */
  readonly seekReplay: { readonly input: { readonly at: number }; readonly value: Nothing };
  /** To the moment at which this letter of a turn's text was heard. */
  readonly seekReplayWord: {
    readonly input: { readonly turn: number; readonly letter: number };
    readonly value: Nothing;
  };
  readonly stepReplay: {
    readonly input: { readonly to: ReplayStop; readonly way: 'next' | 'previous' };
    readonly value: Nothing;
  };
  readonly replayPicture: {
    readonly input: { readonly picture: number };
    readonly value: { readonly jpeg: Uint8Array };
  };
  readonly closeReplay: { readonly input: Nothing; readonly value: Nothing };
}

export interface ReplayNotices {
  /** Another one was opened, or none is any more. */
  readonly replayChanged: ReplayView;
  /** More of the film is made; twice a second at most. */
  readonly replayTimeline: FilmTimeline;
  /** It begins, pauses, is faster or slower, and ten times a second where it is while it plays. */
  readonly replayPlay: ReplayPlay;
  /** The cursor has jumped: all that is to be shown there. */
  readonly replayScene: ReplayScene;
  /** What the page got in the talk, as the cursor passes it. */
  readonly replayed: readonly ReplayedNotice[];
  /** Like `level`, of the voices on the tape. */
  readonly replayLevel: TalkLevel;
  /** For the inspector; `at` counts since the tape began. Only while a page watches the wire. */
  readonly replayWire: WireBatch;
}

/** What a page may ask to hold a talk against another one. */
export interface CompareRequests {
  /** The others that are kept, newest first. */
  readonly comparableTapes: {
    readonly input: { readonly tape: string };
    readonly value: readonly ComparableTape[];
  };
  readonly compareTapes: {
    readonly input: { readonly tape: string; readonly other: string };
    readonly value: ComparedTapes;
  };
  /**
   * Sends what was said on a tape to a server again, which takes as long as it took; answers with the tape that was made
   * of it. There is one at a time; it ends with the page that asked for it.
   */
  readonly rerunTape: {
    readonly input: { readonly tape: string; readonly server: string };
    readonly value: { readonly tape: string };
  };
  /** Gives up what is being sent; its own request answers that it was stopped. */
  readonly stopRerun: { readonly input: Nothing; readonly value: Nothing };
}

export interface CompareNotices {
  /** Once a second at most, and when it comes further. */
  readonly rerunProgress: RerunProgress;
}

/** What a page may ask of exports. There is one at a time; it ends with the page that asked for it. */
export interface ExportRequests {
  readonly exportOffer: {
    readonly input: { readonly origin: ExportOrigin };
    readonly value: ExportOffer;
  };
  /** Asks the person where, and answers when it is made. `mix`: both voices in one channel. */
  readonly exportFile: {
    readonly input: {
      readonly origin: ExportOrigin;
      readonly as: ExportForm;
      readonly mix: boolean;
    };
    readonly value: ExportResult;
  };
  /** Gives up what is being made; its own request answers that it was stopped. */
  readonly stopExport: { readonly input: Nothing; readonly value: Nothing };
  /** Opens the folder of what was saved last, a report too, where the host can; where it is, in any case. */
  readonly showSaved: {
    readonly input: Nothing;
    readonly value: { readonly path: string; readonly opened: boolean };
  };
}

export interface ExportNotices {
  /** How far it has come, from 0 to 1: each hundredth is told once. */
  readonly exportProgress: { readonly part: number };
}

/** What a page may ask of reports of a problem. Nothing is ever sent, and nothing saved that was not shown. */
export interface ReportRequests {
  readonly prepareReport: {
    readonly input: { readonly of: ReportOf };
    readonly value: PreparedReport;
  };
  /** Asks the person where. */
  readonly saveReport: { readonly input: Nothing; readonly value: ExportResult };
  readonly dropReport: { readonly input: Nothing; readonly value: Nothing };
}
