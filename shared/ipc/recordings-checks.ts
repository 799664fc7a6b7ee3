import { z } from 'zod';
import { exportForms } from '../recordings/export-form.ts';
import { historyKinds } from '../recordings/history-item.ts';
import { replayExamples, replaySpeeds, replayStops } from '../recordings/replay-view.ts';
import type {
  CompareRequests,
  ExportRequests,
  HistoryRequests,
  ReplayRequests,
  ReportRequests,
} from './recordings-contract.ts';

type Checks = {
  readonly [Name in keyof HistoryRequests]: z.ZodType<HistoryRequests[Name]['input']>;
};

const id = z.string().min(1).max(255);
const kind = z.enum(historyKinds);
const yes = z.literal(true).optional();
const filter = z.strictObject({ kind: kind.optional(), pinned: yes, tape: yes });
const part = { skip: z.int().min(0), count: z.int().min(1).max(200), filter };
const ref = { kind, id };

export const historyChecks: Checks = {
  history: z.strictObject(part),
  searchHistory: z.strictObject({ ...part, query: z.string().max(1000) }),
  talkRecord: z.strictObject({ id }),
  talkPicture: z.strictObject({ id, file: id }),
  renameHistory: z.strictObject({ ...ref, title: z.string().max(1000) }),
  pinHistory: z.strictObject({ ...ref, pinned: z.boolean() }),
  removeHistory: z.strictObject({
    list: z.array(z.strictObject(ref)).min(1).max(10_000),
    tapes: z.boolean(),
  }),
  historySizes: z.undefined(),
  showHistory: z.strictObject({ ref: z.strictObject(ref).optional() }),
  keepRecent: z.undefined(),
  keepTalk: z.strictObject({ keep: z.boolean() }),
  setIncognito: z.strictObject({ on: z.boolean() }),
};

type ReplayChecksChecks = {
  readonly [Name in keyof ReplayRequests]: z.ZodType<ReplayRequests[Name]['input']>;
};

/** The name of a folder, and no way out of the one it lies in. */
const folderName = z
  .string()
  .max(200)
  .regex(/^[\w-]+(?:\.[\w-]+)*$/u);

const count = z.number().int().nonnegative().max(1e9);

export const replayChecks: ReplayChecksChecks = {
  replay: z.undefined(),
  openReplay: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('tape'), tape: folderName }),
    z.strictObject({ kind: z.literal('example'), example: z.enum(replayExamples) }),
  ]),
  playReplay: z.undefined(),
  pauseReplay: z.undefined(),
  setReplaySpeed: z.strictObject({ speed: z.literal(replaySpeeds) }),
  seekReplay: z.strictObject({ at: z.number().nonnegative().max(1e10) }),
  seekReplayWord: z.strictObject({ turn: count, letter: count }),
  stepReplay: z.strictObject({ to: z.enum(replayStops), way: z.enum(['next', 'previous']) }),
  replayPicture: z.strictObject({ picture: count }),
  closeReplay: z.undefined(),
};

type CompareChecksChecks = {
  readonly [Name in keyof CompareRequests]: z.ZodType<CompareRequests[Name]['input']>;
};

/** The name of a folder; it leads nowhere but to what lies among the tapes. */
const tape = z.string().min(1).max(255);

export const compareChecks: CompareChecksChecks = {
  comparableTapes: z.strictObject({ tape }),
  compareTapes: z.strictObject({ tape, other: tape }),
  rerunTape: z.strictObject({ tape, server: z.string().min(1).max(255) }),
  stopRerun: z.undefined(),
};

type ExportChecksChecks = {
  readonly [Name in keyof ExportRequests]: z.ZodType<ExportRequests[Name]['input']>;
};

const exportOriginCheck = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('talk'), id }),
  z.strictObject({ kind: z.literal('chat'), id }),
  z.strictObject({ kind: z.literal('replay') }),
]);

export const exportChecks: ExportChecksChecks = {
  exportOffer: z.strictObject({ origin: exportOriginCheck }),
  exportFile: z.strictObject({
    origin: exportOriginCheck,
    as: z.enum(exportForms),
    mix: z.boolean(),
  }),
  stopExport: z.undefined(),
  showSaved: z.undefined(),
};

type ReportChecksChecks = {
  readonly [Name in keyof ReportRequests]: z.ZodType<ReportRequests[Name]['input']>;
};

export const reportChecks: ReportChecksChecks = {
  prepareReport: z.strictObject({
    of: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('talk'), id: z.string().min(1).max(255) }),
      z.strictObject({ kind: z.literal('replay') }),
      z.strictObject({ kind: z.literal('shown') }),
      z.strictObject({ kind: z.literal('last') }),
    ]),
  }),
  saveReport: z.undefined(),
  dropReport: z.undefined(),
};
