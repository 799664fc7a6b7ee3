import { z } from 'zod';
import type { WireBatch } from '../protocol/wire-frame.ts';
import {
  exportForms,
  type ExportOffer,
  type ExportOrigin,
  type ExportResult,
} from '../recordings/export-form.ts';
import {
  type HistoryFilter,
  type HistoryHit,
  historyKinds,
  type HistoryPage,
  type HistorySize,
} from '../recordings/history-item.ts';
import type { PreparedReport, ReportOf } from '../recordings/problem-report.ts';
import type { ReplayedNotice, ReplayScene } from '../recordings/replay-scene.ts';
import {
  type TapeTimeline,
  replayExamples,
  type ReplayPlay,
  type ReplaySource,
  replaySpeeds,
  replayStops,
  type ReplayView,
} from '../recordings/replay-view.ts';
import type { TalkKeeping } from '../recordings/talk-keeping.ts';
import type { OpenedTalkRecord } from '../recordings/talk-record.ts';
import type {
  ComparableTape,
  ComparedTapes,
  RerunProgress,
} from '../recordings/tape-comparison.ts';
import type { TalkLevel } from '../talk/talk-view.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

/** Of a talk or a written conversation, and the name of a folder; it leads nowhere but to what lies among them. */
const id = z.string().min(1).max(255);
const kind = z.enum(historyKinds);
const ref = { kind, id };
const yes = z.literal(true).optional();
const filter: z.ZodType<HistoryFilter> = z.strictObject({
  kind: kind.optional(),
  pinned: yes,
  tape: yes,
});
/** A part of the list: so many of them, after so many. */
const part = { skip: z.int().min(0), count: z.int().min(1).max(200), filter };

interface Picture {
  readonly jpeg: Uint8Array;
}

/** A folder, and whether the host could open it. */
interface ShownFolder {
  readonly path: string;
  readonly opened: boolean;
}

/** What a page may ask of talks and written conversations that are kept. */
export const historyRequests = {
  /** The newest first. */
  history: request(z.strictObject(part)).answers<HistoryPage>().changedBy('historyChanged'),
  /** Those in which all words stand, each as a word's beginning, the newest first. */
  searchHistory: request(z.strictObject({ ...part, query: z.string().max(1000) })).answers<
    HistoryPage<HistoryHit>
  >(),
  talkRecord: request(z.strictObject({ id })).answers<OpenedTalkRecord>(),
  /** One of the pictures that the record names, a JPEG. */
  talkPicture: request(z.strictObject({ id, file: id })).answers<Picture>(),
  renameHistory: request(z.strictObject({ ...ref, title: z.string().max(1000) })),
  pinHistory: request(z.strictObject({ ...ref, pinned: z.boolean() })),
  /** For good, a talk's tape with it where that is said. What cannot be removed holds up nothing, and is refused at the end. */
  removeHistory: request(
    z.strictObject({
      list: z.array(z.strictObject(ref)).min(1).max(10_000),
      tapes: z.boolean(),
    }),
  ),
  historySizes: request(noInput).answers<readonly HistorySize[]>(),
  /** Opens the folder of one, or of all talks, where the host can; where it is, in any case. */
  showHistory: request(
    z.strictObject({ ref: z.strictObject(ref).optional() }),
  ).answers<ShownFolder>(),
  /** Answers the question at the end of a talk, for this talk and for those that follow. */
  keepTalk: request(z.strictObject({ keep: z.boolean() })),
  /** Makes a tape of the last two minutes of the talk that goes on. */
  keepRecent: request(noInput),
  /** For the talks that begin from now on, until Parley ends; one that goes on stays what it is. */
  setIncognito: request(z.strictObject({ on: z.boolean() })),
};

export type HistoryHandlers = HandlersOf<typeof historyRequests>;

export interface HistoryNotices {
  /** The list is another one: what of it is shown is to be asked for anew. Posted twice a second at most. */
  readonly historyChanged: { readonly count: number };
  readonly talkKeeping: TalkKeeping;
}

/** The name of a folder, and no way out of the one it lies in. */
const folderName = z
  .string()
  .max(200)
  .regex(/^[\w-]+(?:\.[\w-]+)*$/u);

const source: z.ZodType<ReplaySource> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tape'), tape: folderName }),
  z.strictObject({ kind: z.literal('example'), example: z.enum(replayExamples) }),
]);

const count = z.number().int().nonnegative().max(1e9);

/** What a page may ask of the replay of a tape. There is one; a talk that begins pauses it. */
export const replayRequests = {
  replay: request(noInput)
    .answers<ReplayView>()
    .changedBy('replayChanged', 'replayTimeline', 'replayPlay', 'replayScene', 'replayed'),
  /** Closes what was open; what comes of it is posted as `replayChanged`. */
  openReplay: request(source),
  /** From its beginning where it had come to its end. Pauses when its page goes. */
  playReplay: request(noInput),
  pauseReplay: request(noInput),
  setReplaySpeed: request(z.strictObject({ speed: z.literal(replaySpeeds) })),
  /** Milliseconds since the tape began. */
  seekReplay: request(z.strictObject({ at: z.number().nonnegative().max(1e10) })),
  /** To the moment at which this letter of a turn's text was heard. */
  seekReplayWord: request(z.strictObject({ turn: count, letter: count })),
  stepReplay: request(
    z.strictObject({ to: z.enum(replayStops), way: z.enum(['next', 'previous']) }),
  ),
  replayPicture: request(z.strictObject({ picture: count })).answers<Picture>(),
  closeReplay: request(noInput),
};

export type ReplayHandlers = HandlersOf<typeof replayRequests>;

export interface ReplayNotices {
  /** Another one was opened, or none is any more. */
  readonly replayChanged: ReplayView;
  /** Rendering made progress; posted at most twice a second. */
  readonly replayTimeline: TapeTimeline;
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
export const compareRequests = {
  /** The others that are kept, newest first. */
  comparableTapes: request(z.strictObject({ tape: id })).answers<readonly ComparableTape[]>(),
  compareTapes: request(z.strictObject({ tape: id, other: id })).answers<ComparedTapes>(),
  /**
   * Sends what was said on a tape to a server again, which takes as long as it took; answers with the tape that was made
   * of it. There is one at a time; it ends with the page that asked for it.
   */
  rerunTape: request(z.strictObject({ tape: id, server: id })).answers<{
    readonly tape: string;
  }>(),
  /** Gives up what is being sent; its own request answers that it was stopped. */
  stopRerun: request(noInput),
};

export type CompareHandlers = HandlersOf<typeof compareRequests>;

export interface CompareNotices {
  /** Once a second at most, and when it comes further. */
  readonly rerunProgress: RerunProgress;
}

const origin: z.ZodType<ExportOrigin> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('talk'), id }),
  z.strictObject({ kind: z.literal('chat'), id }),
  z.strictObject({ kind: z.literal('replay') }),
]);

/** What a page may ask of exports. There is one at a time; it ends with the page that asked for it. */
export const exportRequests = {
  exportOffer: request(z.strictObject({ origin })).answers<ExportOffer>(),
  /** Asks the person where, and answers when it is made. `mix`: both voices in one channel. */
  exportFile: request(
    z.strictObject({ origin, as: z.enum(exportForms), mix: z.boolean() }),
  ).answers<ExportResult>(),
  /** Gives up what is being made; its own request answers that it was stopped. */
  stopExport: request(noInput),
  /** Opens the folder of what was saved last, a report too, where the host can; where it is, in any case. */
  showSaved: request(noInput).answers<ShownFolder>(),
};

export type ExportHandlers = HandlersOf<typeof exportRequests>;

export interface ExportNotices {
  /** How far it has come, from 0 to 1: each hundredth is told once. */
  readonly exportProgress: { readonly part: number };
}

const reportOf: z.ZodType<ReportOf> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('talk'), id }),
  z.strictObject({ kind: z.literal('replay') }),
  z.strictObject({ kind: z.literal('shown') }),
  z.strictObject({ kind: z.literal('last') }),
]);

/** What a page may ask of reports of a problem. Nothing is ever sent, and nothing saved that was not shown. */
export const reportRequests = {
  prepareReport: request(z.strictObject({ of: reportOf })).answers<PreparedReport>(),
  /** Asks the person where. */
  saveReport: request(noInput).answers<ExportResult>(),
  dropReport: request(noInput),
};

export type ReportHandlers = HandlersOf<typeof reportRequests>;
