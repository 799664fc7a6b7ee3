import { z } from 'zod';
import { historyKinds } from '../history/history-item.ts';
import type { HistoryRequests } from './history-contract.ts';

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
