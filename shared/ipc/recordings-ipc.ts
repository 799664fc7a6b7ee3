import { z } from 'zod';
import type { WireBatch } from '../protocol/wire-frame.ts';
import {
  exportFormats,
  exportLanguages,
  type ExportOffer,
  type ExportOrigin,
  type ExportResult,
} from '../recordings/export-format.ts';
import {
  type HistoryFilter,
  type HistoryHit,
  historyKinds,
  type HistoryPage,
  type HistorySize,
} from '../recordings/history-item.ts';
import type { OpenedTalkRecord } from '../recordings/talk-record.ts';
import type { PreparedReport, ReportOf } from '../app/program.ts';
import {
  replayExamples,
  replaySpeeds,
  replayStops,
  type ReplayedNotice,
  type ReplayScene,
  type TapeTimeline,
  type ReplayPlay,
  type ReplaySource,
  type ReplayView,
} from '../recordings/replay-view.ts';
import type { TalkStorageState, TalkLevel } from '../talk/talk-view.ts';
import type {
  ComparableTape,
  ComparedTapes,
  RerunProgress,
} from '../recordings/tape-comparison.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

/** The id of a talk or chat, which is its folder's name. The core checks it before it uses it in a path. */
const id = z.string().min(1).max(255);
const kind = z.enum(historyKinds);
const ref = { kind, id };
const onlyTrue = z.literal(true).optional();
const filter: z.ZodType<HistoryFilter> = z.strictObject({
  kind: kind.optional(),
  pinned: onlyTrue,
  tape: onlyTrue,
});
/** The range of the list to return. */
const range = { skip: z.int().min(0), count: z.int().min(1).max(200), filter };

interface Picture {
  readonly jpeg: Uint8Array;
}

/** `opened` is false if the host could not open the folder. */
interface ShownFolder {
  readonly path: string;
  readonly opened: boolean;
}

/** Requests about stored talks and chats. */
export const historyRequests = {
  /** Newest first. */
  history: request(z.strictObject(range)).answers<HistoryPage>().withChangedBy('historyChanged'),
  /** Entries that contain every word of the query as a word prefix, newest first. */
  searchHistory: request(z.strictObject({ ...range, query: z.string().max(1000) })).answers<
    HistoryPage<HistoryHit>
  >(),
  talkRecord: request(z.strictObject({ id })).answers<OpenedTalkRecord>(),
  /** A picture of the talk. `file` is its name in the record. */
  talkPicture: request(z.strictObject({ id, file: id })).answers<Picture>(),
  renameHistory: request(z.strictObject({ ...ref, title: z.string().max(1000) })),
  pinHistory: request(z.strictObject({ ...ref, pinned: z.boolean() })),
  /** Deletes permanently, with tapes if `tapes` is set. Failures are reported at the end. */
  removeHistory: request(
    z.strictObject({
      list: z.array(z.strictObject(ref)).min(1).max(10_000),
      tapes: z.boolean(),
    }),
  ),
  /** Keeps entries from models while the user can undo their deletion, or gives them back. */
  withholdHistory: request(
    z.strictObject({
      list: z.array(z.strictObject(ref)).min(1).max(10_000),
      withheld: z.boolean(),
    }),
  ),
  historySizes: request(noInput).answers<readonly HistorySize[]>(),
  /** Opens one entry's folder, or the folder of all talks, if the host can. Returns its path in any case. */
  showHistory: request(
    z.strictObject({ ref: z.strictObject(ref).optional() }),
  ).answers<ShownFolder>(),
  /** Answers the question after a talk, for this talk and later ones. */
  keepTalk: request(z.strictObject({ keep: z.boolean() })),
  /** Saves the last two minutes of the current talk as a tape. */
  keepRecent: request(noInput),
  /** Applies to talks that start from now on, until Parley quits. The current talk does not change. */
  setIncognito: request(z.strictObject({ on: z.boolean() })),
};

export type HistoryHandlers = HandlersOf<typeof historyRequests>;

export interface HistoryNotices {
  /** The list has changed, and pages request it again. Posted at most twice a second. */
  readonly historyChanged: { readonly count: number };
  readonly talkStorage: TalkStorageState;
}

/** A folder name without path separators. */
const folderName = z
  .string()
  .max(200)
  .regex(/^[\w-]+(?:\.[\w-]+)*$/u);

const source: z.ZodType<ReplaySource> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tape'), tape: folderName }),
  z.strictObject({ kind: z.literal('example'), example: z.enum(replayExamples) }),
]);

const count = z.number().int().nonnegative().max(1e9);

/** Requests of the one replay. A talk that starts pauses it. */
export const replayRequests = {
  replay: request(noInput)
    .answers<ReplayView>()
    .withChangedBy('replayChanged', 'replayTimeline', 'replayPlay', 'replayScene', 'replayed'),
  /** Replaces the open replay. The result follows as `replayChanged`. */
  openReplay: request(source),
  /** Plays on, or from the start if the replay has ended. The replay pauses when the page closes. */
  playReplay: request(noInput),
  pauseReplay: request(noInput),
  setReplaySpeed: request(z.strictObject({ speed: z.literal(replaySpeeds) })),
  /** Milliseconds since the start of the tape. */
  seekReplay: request(z.strictObject({ at: z.number().nonnegative().max(1e10) })),
  /** Seeks to the moment when character `letter` of the turn's text was heard. */
  seekReplayWord: request(z.strictObject({ turn: count, letter: count })),
  stepReplay: request(
    z.strictObject({ to: z.enum(replayStops), way: z.enum(['next', 'previous']) }),
  ),
  replayPicture: request(z.strictObject({ picture: count })).answers<Picture>(),
  closeReplay: request(noInput),
};

export type ReplayHandlers = HandlersOf<typeof replayRequests>;

export interface ReplayNotices {
  /** A replay is opening, has opened, has failed to open or was closed. */
  readonly replayChanged: ReplayView;
  /** The timeline has grown. Posted at most twice a second. */
  readonly replayTimeline: TapeTimeline;
  /** Start, pause and speed changes, and the position 10 times a second during playback. */
  readonly replayPlay: ReplayPlay;
  /** The cursor has jumped. The scene is everything to show there. */
  readonly replayScene: ReplayScene;
  /** Notices of the talk that the cursor passes. */
  readonly replayed: readonly ReplayedNotice[];
  /** Like `level`, for the voices on the tape. */
  readonly replayLevel: TalkLevel;
  /** For the inspector, only while a page watches. `at` counts from the start of the tape. */
  readonly replayWire: WireBatch;
}

/** Requests to compare tapes. */
export const compareRequests = {
  /** The newest stored tapes of talks, without the given one. */
  comparableTapes: request(z.strictObject({ tape: id })).answers<readonly ComparableTape[]>(),
  compareTapes: request(z.strictObject({ tape: id, other: id })).answers<ComparedTapes>(),
  /**
   * Sends the user's recorded speech to a server in real time, and returns the new tape. There is one rerun at a time, and
   * it ends with its page.
   */
  rerunTape: request(z.strictObject({ tape: id, server: id })).answers<{
    readonly tape: string;
  }>(),
  /** Stops the rerun. Its request then fails as stopped. */
  stopRerun: request(noInput),
};

export type CompareHandlers = HandlersOf<typeof compareRequests>;

export interface CompareNotices {
  /** Posted as the rerun advances, at most once a second. */
  readonly rerunProgress: RerunProgress;
}

const origin: z.ZodType<ExportOrigin> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('talk'), id }),
  z.strictObject({ kind: z.literal('chat'), id }),
  z.strictObject({ kind: z.literal('replay') }),
]);

/** Requests of the one export. It ends with its page. */
export const exportRequests = {
  exportOffer: request(z.strictObject({ origin })).answers<ExportOffer>(),
  /**
   * Asks for a destination, and answers when the file is complete. `mix` gives one channel. Without a language, that of the
   * settings counts.
   */
  exportFile: request(
    z.strictObject({
      origin,
      format: z.enum(exportFormats),
      mix: z.boolean(),
      language: z.enum(exportLanguages).optional(),
    }),
  ).answers<ExportResult>(),
  /** Stops the export. Its request then fails as stopped. */
  stopExport: request(noInput),
  /** Opens the folder of the last saved file of this kind, if the host can. Returns its path in any case. */
  showSaved: request(
    z.strictObject({ of: z.enum(['export', 'report', 'roomTest']) }),
  ).answers<ShownFolder>(),
};

export type ExportHandlers = HandlersOf<typeof exportRequests>;

export interface ExportNotices {
  /** From 0 to 1, posted once per hundredth. */
  readonly exportProgress: { readonly fraction: number };
}

const reportOf: z.ZodType<ReportOf> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('talk'), id }),
  z.strictObject({ kind: z.literal('replay') }),
  z.strictObject({ kind: z.literal('shown') }),
  z.strictObject({ kind: z.literal('last') }),
]);

/** Requests about problem reports. Parley never sends one, and saves only what it has shown. */
export const reportRequests = {
  prepareReport: request(z.strictObject({ of: reportOf })).answers<PreparedReport>(),
  /** Asks the user for a destination. */
  saveReport: request(noInput).answers<ExportResult>(),
  dropReport: request(noInput),
};

export type ReportHandlers = HandlersOf<typeof reportRequests>;
