import { z } from 'zod';
import type { GlobalKeyRequests } from './global-key-contract.ts';
import type { TalkRequests } from './talk-contract.ts';

type Requests = TalkRequests & GlobalKeyRequests;

type Checks = {
  readonly [Name in keyof Requests]: z.ZodType<Requests[Name]['input']>;
};

export const talkChecks: Checks = {
  talk: z.undefined(),
  startTalk: z.strictObject({ mode: z.enum(['audio', 'video']) }),
  endTalk: z.undefined(),
  continueTalk: z.strictObject({ carry: z.enum(['transcript', 'nothing']) }),
  interruptTalk: z.undefined(),
  networkBack: z.undefined(),
  talkKey: z.strictObject({ key: z.enum(['press', 'release', 'toggle', 'lost']) }),
  setTalking: z.strictObject({ mode: z.enum(['open', 'hold', 'tap', 'holdOrTap']) }),
  setMuted: z.strictObject({ muted: z.boolean() }),
  setCoughMuted: z.strictObject({ muted: z.boolean() }),
  setPaused: z.strictObject({ paused: z.boolean() }),
  globalKey: z.undefined(),
  testGlobalKey: z.undefined(),
  retryGlobalKey: z.undefined(),
};
