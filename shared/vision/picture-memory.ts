import { contextTokens, effectiveSeconds, sessionSeconds } from '../protocol/realtime-api.ts';
import { pictureTokens } from './vision-frame.ts';

/** What is known of a server's memory, as far as pictures compete for it. */
export interface MemoryFacts {
  /** Tokens that fit into the model's context. */
  readonly contextTokens: number;
  /** How long a session with pictures may last. */
  readonly sessionSeconds: number;
  /** Sound and words of a usual talk, in tokens a second. */
  readonly restPerSecond: number;
  /** How much more a picture costs there than is documented. */
  readonly pictureScale: number;
  /** The newest picture goes along with every append, so that a picture less saves nothing. */
  readonly everyAppend: boolean;
}

/** How a person wants to be seen. */
export interface PicturePlan {
  /** From long conversation, 1, to sharp eyes, 5. */
  readonly budget: number;
  readonly slices: number;
  /** Pictures a second, at most. */
  readonly rate: number;
  readonly chunkMs: number;
}

/** Seconds between two pictures on average; at the sharp end none is saved. */
const averageSeconds = [16, 8, 4, 2, 0] as const;

export const sharpestBudget = averageSeconds.length;

/** By how soon documents say that the memory is full, with pictures and without. */
const documentedRest = contextTokens / effectiveSeconds.audio;
const documentedPicture = contextTokens / effectiveSeconds.video - documentedRest;

export const documentedMemory: MemoryFacts = {
  contextTokens,
  sessionSeconds: sessionSeconds.video,
  restPerSecond: documentedRest,
  // A little more than its 64: it is framed by some tokens of its own.
  pictureScale: documentedPicture / pictureTokens(1),
  everyAppend: false,
};

/** What one picture costs there, and what the least costs that can go. */
export function pictureCosts(
  { pictureScale }: Pick<MemoryFacts, 'pictureScale'>,
  slices: number,
): { readonly sharp: number; readonly coarse: number } {
  return { sharp: pictureTokens(slices) * pictureScale, coarse: pictureTokens(1) * pictureScale };
}

/** How far apart two sharp pictures are on average. */
export function sharpEveryMs(
  { everyAppend }: Pick<MemoryFacts, 'everyAppend'>,
  { budget, rate, chunkMs }: Omit<PicturePlan, 'slices'>,
): number {
  const average = (averageSeconds[budget - 1] ?? 0) * 1000;
  // A slow rate repeats its pictures there, and saves nothing.
  return Math.max(average, chunkMs, everyAppend ? 0 : 1000 / rate);
}

/** How many seconds of a usual, lively talk fit into the memory, or into the session where that is shorter. */
export function memorySeconds(facts: MemoryFacts, plan: PicturePlan, promptTokens = 0): number {
  const { sharp, coarse } = pictureCosts(facts, plan.slices);
  const sharpMs = sharpEveryMs(facts, plan);
  const always = facts.everyAppend ? (coarse * 1000) / plan.chunkMs : 0;
  const saved = facts.everyAppend ? sharp - coarse : sharp;
  const perSecond = facts.restPerSecond + always + (saved * 1000) / sharpMs;
  return Math.min(
    facts.sessionSeconds,
    Math.max(0, facts.contextTokens - promptTokens) / perSecond,
  );
}
