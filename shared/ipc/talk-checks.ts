import { z } from 'zod';
import type { TalkRequests } from './talk-contract.ts';

type Checks = {
  readonly [Name in keyof TalkRequests]: z.ZodType<TalkRequests[Name]['input']>;
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
};
