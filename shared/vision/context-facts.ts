import { contextTokens, effectiveSeconds, sessionSeconds } from '../protocol/realtime-api.ts';
import { pictureTokens } from './vision-frame.ts';

/** Facts about a server's context that decide how many pictures fit. */
export interface ContextFacts {
  readonly contextTokens: number;
  /** Limit of a session with pictures. */
  readonly sessionSeconds: number;
  /** Tokens per second of sound and words in an average talk. */
  readonly otherTokensPerSecond: number;
  /** Ratio of a picture's cost to the documented cost. */
  readonly pictureScale: number;
  /** Every append carries a picture, the last one if none is new. So only fewer sharp pictures save tokens. */
  readonly everyAppend: boolean;
}

export interface PicturePlan {
  /** From 1, long conversations, to 5, sharp pictures. */
  readonly budget: number;
  readonly slices: number;
  /** Maximum pictures per second. */
  readonly rate: number;
  readonly chunkMs: number;
}

/** Average seconds between pictures for each budget step; 0 sends as many as the rate allows. */
const averageSeconds = [16, 8, 4, 2, 0] as const;

export const sharpestBudget = averageSeconds.length;

/** Tokens per second for sound and words, and for pictures; derived from the documented times until the context is full. */
const documentedOther = contextTokens / effectiveSeconds.audio;
const documentedPicture = contextTokens / effectiveSeconds.video - documentedOther;

export const documentedContext: ContextFacts = {
  contextTokens,
  sessionSeconds: sessionSeconds.video,
  otherTokensPerSecond: documentedOther,
  // A little above 1, because marks surround the 64 tokens of a picture.
  pictureScale: documentedPicture / pictureTokens(1),
  everyAppend: false,
};

/** Tokens of a picture with these slices, and of the smallest one. */
export function pictureCosts(
  { pictureScale }: Pick<ContextFacts, 'pictureScale'>,
  slices: number,
): { readonly sharp: number; readonly coarse: number } {
  return { sharp: pictureTokens(slices) * pictureScale, coarse: pictureTokens(1) * pictureScale };
}

/** Average interval of sharp pictures. */
export function sharpEveryMs(
  { everyAppend }: Pick<ContextFacts, 'everyAppend'>,
  { budget, rate, chunkMs }: Omit<PicturePlan, 'slices'>,
): number {
  const averageMs = (averageSeconds[budget - 1] ?? 0) * 1000;
  // A server that needs a picture in every append gets the last one again in appends without a new one, so a slower rate
  // saves nothing.
  return Math.max(averageMs, chunkMs, everyAppend ? 0 : 1000 / rate);
}

/** Seconds until the context is full or the session ends, in an average talk whose pictures keep changing. */
export function secondsWithPictures(
  facts: ContextFacts,
  plan: PicturePlan,
  promptTokens = 0,
): number {
  const { sharp, coarse } = pictureCosts(facts, plan.slices);
  const sharpMs = sharpEveryMs(facts, plan);
  const everyAppendTokens = facts.everyAppend ? (coarse * 1000) / plan.chunkMs : 0;
  const sharpExtra = facts.everyAppend ? sharp - coarse : sharp;
  const perSecond = facts.otherTokensPerSecond + everyAppendTokens + (sharpExtra * 1000) / sharpMs;
  return Math.min(
    facts.sessionSeconds,
    Math.max(0, facts.contextTokens - promptTokens) / perSecond,
  );
}
